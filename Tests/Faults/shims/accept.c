// Accepting as the file that ACCEPT names says: the first byte is 0 for as it is, 1 for no descriptor left, 2 for a
// peer that is gone already, of which there is nothing to learn.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static const volatile char *mode;

__attribute__((constructor)) static void start(void) {
  int file = open(getenv("ACCEPT"), O_RDONLY | O_CLOEXEC);
  void *page = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) abort();
  mode = page;
  close(file);
}

int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  if (*mode) {
    errno = *mode == 1 ? EMFILE : ECONNABORTED;
    return -1;
  }
  int (*next)(int, struct sockaddr *, socklen_t *, int) = dlsym(RTLD_NEXT, "accept4");
  return next(listener, address, length, flags);
}
