#ifndef C_TODO_OPENAPI_H
#define C_TODO_OPENAPI_H

#include <stddef.h>
#include <stdint.h>

/// Returns Protos/openapi.json, compressed with gzip, in the read-only data of the program.
const uint8_t *_Nonnull todo_openapi_bytes(void);

/// Returns the number of bytes of the compressed document.
size_t todo_openapi_size(void);

#endif
