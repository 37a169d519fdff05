// A server that takes 64 KiB for each connection.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  int (*next)(int, struct sockaddr *, socklen_t *, int) = dlsym(RTLD_NEXT, "accept4");
  int connection = next(listener, address, length, flags);
  if (connection >= 0) {
    void *kept = malloc(65536);
    if (kept) explicit_bzero(kept, 65536);
  }
  return connection;
}
