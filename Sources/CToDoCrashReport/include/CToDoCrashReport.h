#ifndef TODO_CCRASHREPORT_H
#define TODO_CCRASHREPORT_H

// Installs signal handlers that write one line to standard error when this process crashes: `program` and the signal. The
// signal then has its previous effect, including Swift's backtrace if SWIFT_BACKTRACE enables it.
//
// Call this function once, before starting other threads. At most 100 bytes of `program` are copied.
void todo_report_crashes(const char *_Nonnull program);

#endif
