#include "CToDoGazetteer.h"

#ifdef TODO_INSTALLED_GAZETTEER

const unsigned char *todo_gazetteer_bytes(void) {
  return NULL;
}

size_t todo_gazetteer_size(void) {
  return 0;
}

#else

// #embed is part of C23; Clang supports it in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Aligned, so that readers can load whole words.
static const unsigned char bytes[] __attribute__((aligned(16))) = {
#embed "gazetteer.bin"
};

const unsigned char *todo_gazetteer_bytes(void) {
  return bytes;
}

size_t todo_gazetteer_size(void) {
  return sizeof(bytes);
}

#endif
