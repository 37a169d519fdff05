#ifndef TODO_CGAZETTEER_H
#define TODO_CGAZETTEER_H

#include <stddef.h>

// Returns the bytes of gazetteer.bin in the read-only data of the program, or NULL if gazetteer.bin is installed beside the
// program (TODO_INSTALLED_GAZETTEER). The system loads each page on first access and shares it between processes.
const unsigned char *_Nullable todo_gazetteer_bytes(void);

// Returns the number of bytes in the program.
size_t todo_gazetteer_size(void);

#endif
