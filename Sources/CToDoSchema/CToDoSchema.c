#include "CToDoSchema.h"

// #embed is C23, which Clang offers in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bytes[] = {
#embed "schema.binpb"
};

const unsigned char *todo_schema_bytes(void) {
  return bytes;
}

size_t todo_schema_size(void) {
  return sizeof(bytes);
}
