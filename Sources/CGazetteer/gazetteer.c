#include "CGazetteer.h"

// #embed is C23, which Clang offers in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Aligned, as whoever reads it may read whole words.
static const unsigned char bytes[] __attribute__((aligned(16))) = {
#embed "gazetteer.bin"
};

const unsigned char *todo_gazetteer_bytes(void) {
  return bytes;
}

size_t todo_gazetteer_size(void) {
  return sizeof(bytes);
}
