#ifndef TODO_GAZETTEER_H
#define TODO_GAZETTEER_H

#include <stddef.h>

// The bytes of gazetteer.bin, which lie in the read-only part of the program: the system maps a page of them when it is
// first read, and shares it between processes.
const unsigned char *_Nonnull todo_gazetteer_bytes(void);
size_t todo_gazetteer_size(void);

#endif
