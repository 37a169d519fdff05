/* Looks for bytes that a target cannot bear: libFuzzer, around what FuzzTargets has. Built and run by Tests/Fuzz/run. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef FUZZING

/* libFuzzer has the function main. */
int todo_fuzz_one_input(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return todo_fuzz_one_input(data, size); }

#else

int main(void) {
  fputs("this was built without libFuzzer: see Tests/Fuzz/run\n", stderr);
  return 2;
}

#endif
