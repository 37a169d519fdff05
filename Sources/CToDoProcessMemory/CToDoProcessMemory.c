#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CToDoProcessMemory.h"

#ifdef __linux__

#include <link.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Pages of a writable segment must stay: those that were changed exist nowhere else.
static int release(struct dl_phdr_info *object, size_t size, void *page_size) {
  (void)size;
  uintptr_t mask = ~(*(uintptr_t *)page_size - 1);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
    uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & mask;
    uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & mask;
    // A failure leaves the pages in memory.
    if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void todo_release_unused_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(release, &page_size);
}

#else

void todo_release_unused_memory(void) {}

#endif
