/* The entry point of libFuzzer, which calls FuzzTargets. Built and run by Tests/Fuzz/run. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef FUZZING

/* libFuzzer defines main. */
int todo_fuzz_one_input(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return todo_fuzz_one_input(data, size); }

#else

int main(void) {
  fputs("fuzz: this program was built without libFuzzer; run Tests/Fuzz/run\n", stderr);
  return 2;
}

#endif
