// A disk that does not say that it is full, but that something is wrong.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/types.h>

static ssize_t write_as(const char *name, int file, const void *bytes, size_t size, off64_t offset) {
  ssize_t (*next)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, name);
  ssize_t written = next(file, bytes, size, offset);
  if (written < 0 && errno == ENOSPC) errno = EIO;
  return written;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  return write_as("pwrite64", file, bytes, size, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return write_as("pwrite", file, bytes, size, offset);
}
