#ifndef TODO_CPROCESSMEMORY_H
#define TODO_CPROCESSMEMORY_H

// Removes from the resident memory of the process what it may not need again: free memory of the heap, code and constants. The
// page cache retains code and constants, and the process maps again what it uses.
//
// A program calls this function when it has started, because most code that has run until then does not run again. Has no
// effect on systems other than Linux.
void todo_release_unused_memory(void);

#endif
