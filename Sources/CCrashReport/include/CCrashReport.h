#ifndef TODO_CCRASHREPORT_H
#define TODO_CCRASHREPORT_H

// Makes every crash of this process write one line to standard error: the program, as `program` names it, and the
// signal. The signal then takes its course, with Swift's backtrace where SWIFT_BACKTRACE asks for one.
//
// To be called once, before other threads are started. `program` is copied, at most 100 bytes of it.
void todo_report_crashes(const char *_Nonnull program);

#endif
