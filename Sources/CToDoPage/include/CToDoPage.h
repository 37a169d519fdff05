#ifndef TODO_CPAGE_H
#define TODO_CPAGE_H

#include <stddef.h>

// A file of the page, in the read-only data of the program.
struct todo_page_file {
  // The name, without its folder.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t size;
};

// Returns the number of files.
size_t todo_page_file_count(void);

// Returns the file with an index below that number.
struct todo_page_file todo_page_file(size_t index);

#endif
