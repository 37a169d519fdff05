// Shifts the time of day, and it alone, by as many seconds as stand in the file that CLOCK_SHIFT names, from one moment
// to the next. With CLOCK_SHIFTS_ALL it shifts the clocks that measure durations too.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*next)(clockid_t, struct timespec *);
static const volatile int64_t *shift;
static int shifts_all;

__attribute__((constructor)) static void start(void) {
  next = dlsym(RTLD_NEXT, "clock_gettime");
  shifts_all = getenv("CLOCK_SHIFTS_ALL") != NULL;
  int file = open(getenv("CLOCK_SHIFT"), O_RDONLY | O_CLOEXEC);
  void *page = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) abort();
  shift = page;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!next) start();
  int result = next(clock, now);
  int is_time_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  int is_duration = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
  if (result == 0 && (is_time_of_day || (shifts_all && is_duration))) now->tv_sec += *shift;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
  now->tv_sec = time.tv_sec, now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
