// A server that leaves its socket behind.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

int unlink(const char *path) {
  size_t length = strlen(path);
  if (length > 5 && strcmp(path + length - 5, ".sock") == 0) return 0;
  int (*next)(const char *) = dlsym(RTLD_NEXT, "unlink");
  return next(path);
}
