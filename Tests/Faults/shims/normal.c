// SQLite that syncs its log now and then, and not at each commit: synchronous = 1 (NORMAL), where FULL is asked for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

int sqlite3_prepare_v3(void *db, const char *sql, int size, unsigned flags, void **statement, const char **tail) {
  int (*next)(void *, const char *, int, unsigned, void **, const char **) = dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
  // In its place, as the tail is a pointer into the same text; the first statement is the one at hand.
  char *setting = strstr(sql, "synchronous = FULL");
  if (setting) memcpy(setting, "synchronous = 1   ", 18);
  return next(db, sql, size, flags, statement, tail);
}

int sqlite3_prepare_v2(void *db, const char *sql, int size, void **statement, const char **tail) {
  return sqlite3_prepare_v3(db, sql, size, 0, statement, tail);
}
