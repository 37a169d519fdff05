// A server that takes the lack of a descriptor for a peer that is gone already, of which there is nothing to learn.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  int (*next)(int, struct sockaddr *, socklen_t *, int) = dlsym(RTLD_NEXT, "accept4");
  int connection = next(listener, address, length, flags);
  if (connection < 0 && errno == EMFILE) errno = ECONNABORTED;
  return connection;
}
