#ifndef TODO_CPROCESSMEMORY_H
#define TODO_CPROCESSMEMORY_H

// Removes the process's code and constant data from its resident memory. The page cache retains the pages, and the process
// maps the ones that it uses again.
//
// A program calls this function when it has started, because most code that has run until then does not run again. Has no
// effect on systems other than Linux.
void todo_release_code_pages(void);

#endif
