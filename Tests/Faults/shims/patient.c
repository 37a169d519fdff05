// A server whose timers never fire.
#include <sys/timerfd.h>

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
  (void)descriptor, (void)flags, (void)new, (void)old;
  return 0;
}
