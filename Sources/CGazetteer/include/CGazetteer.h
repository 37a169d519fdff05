#ifndef TODO_CGAZETTEER_H
#define TODO_CGAZETTEER_H

#include <stddef.h>

// Returns the bytes of gazetteer.bin in the read-only data of the program. The system loads each page on first access and
// shares it between processes.
const unsigned char *_Nonnull todo_gazetteer_bytes(void);

// Returns the number of bytes of gazetteer.bin.
size_t todo_gazetteer_size(void);

#endif
