#include "CToDoOpenAPI.h"

// #embed is part of C23; Clang supports it in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t bytes[] = {
#embed "openapi.json.gz"
};

const uint8_t *todo_openapi_bytes(void) { return bytes; }

size_t todo_openapi_size(void) { return sizeof bytes; }
