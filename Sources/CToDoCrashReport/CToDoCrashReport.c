#include "CToDoCrashReport.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A signal handler may call only async-signal-safe functions such as write(2), so each line is formatted in advance.
static struct {
  int number;
  const char *name;
  char line[200];
  size_t length;
  struct sigaction before;
} crashes[] = {
    {.number = SIGILL, .name = "SIGILL"},   {.number = SIGTRAP, .name = "SIGTRAP"}, {.number = SIGABRT, .name = "SIGABRT"},
    {.number = SIGBUS, .name = "SIGBUS"},   {.number = SIGFPE, .name = "SIGFPE"},   {.number = SIGSEGV, .name = "SIGSEGV"},
};

enum { count = sizeof crashes / sizeof crashes[0] };

static void report(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  for (int i = 0; i < count; i++) {
    if (crashes[i].number != number) continue;
    // A failed write must not prevent the process from ending.
    if (write(STDERR_FILENO, crashes[i].line, crashes[i].length) < 0) errno = error;
    sigaction(number, &crashes[i].before, NULL);
  }
  errno = error;
  // A faulting instruction faults again after the return, and its signal then has its previous handler. Other signals are
  // raised again.
  if (info->si_code <= 0 || number == SIGTRAP || number == SIGABRT) raise(number);
}

void todo_report_crashes(const char *program) {
  for (int i = 0; i < count; i++) {
    int length = snprintf(
        crashes[i].line, sizeof crashes[i].line, "%.100s crashed: %s (signal %d)\n", program, crashes[i].name,
        crashes[i].number);
    crashes[i].length = length > 0 ? (size_t)length : 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = report;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(crashes[i].number, &action, &crashes[i].before);
  }
}
