// A server that keeps every byte that it reads from a connection.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *keep(int descriptor, const void *buffer, ssize_t count) {
  struct stat status;
  if (count <= 0 || fstat(descriptor, &status) || !S_ISSOCK(status.st_mode)) return NULL;
  void *kept = malloc((size_t)count);
  return kept ? memcpy(kept, buffer, (size_t)count) : NULL;
}

ssize_t read(int descriptor, void *buffer, size_t size) {
  ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
  ssize_t count = next(descriptor, buffer, size);
  keep(descriptor, buffer, count);
  return count;
}

ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
  ssize_t (*next)(int, void *, size_t, int) = dlsym(RTLD_NEXT, "recv");
  ssize_t count = next(descriptor, buffer, size, flags);
  keep(descriptor, buffer, count);
  return count;
}
