/* Commits rows to one plain table of SQLite, each commit synced to the disk: the floor for durable adds. A row is an ID and
 * 131 bytes, which SQLite appends, because the table has no further index. Prints a line of JSON.
 *
 *   commits FILE ROWS-PER-COMMIT SECONDS     FILE must not exist
 */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1 << 20 };

static sqlite3 *database;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  fprintf(stderr, "commits: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static sqlite3_stmt *prepare(const char *text) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, text, -1, &statement, NULL));
  return statement;
}

static void run(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static int compare(const void *left, const void *right) {
  double first = *(const double *)left, second = *(const double *)right;
  return (first > second) - (first < second);
}

static void commit_rows(sqlite3_stmt *const statements[3], int rows) {
  static uint64_t number;
  static const char item[131];
  run(statements[0]);
  for (int row = 0; row < rows; row++) {
    uint64_t id[2] = {0, ++number};
    check(sqlite3_bind_blob(statements[1], 1, id, sizeof id, SQLITE_STATIC));
    check(sqlite3_bind_blob(statements[1], 2, item, sizeof item, SQLITE_STATIC));
    run(statements[1]);
  }
  run(statements[2]);
}

int main(int count, char **arguments) {
  if (count != 4) return fprintf(stderr, "usage: commits FILE ROWS-PER-COMMIT SECONDS\n"), 2;
  int rows = atoi(arguments[2]), commits = 0;
  double *times = malloc(MOST * sizeof *times);
  if (!times || rows < 1) return 2;
  check(sqlite3_open(arguments[1], &database));
  /* The server's log has as many pages before it is written back. */
  check(sqlite3_exec(database,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 10000;"
                     "CREATE TABLE item (id BLOB, item BLOB)",
                     NULL, NULL, NULL));
  sqlite3_stmt *const statements[3] = {
      prepare("BEGIN IMMEDIATE"), prepare("INSERT INTO item VALUES (?, ?)"), prepare("COMMIT")};
  double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), start = seconds(CLOCK_MONOTONIC), now = start, last;
  for (double end = start + atof(arguments[3]); now < end && commits < MOST; times[commits++] = now - last) {
    last = now;
    commit_rows(statements, rows);
    now = seconds(CLOCK_MONOTONIC);
  }
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  qsort(times, (size_t)commits, sizeof *times, compare);
  printf("{\"rate\": %.1f, \"p50\": %.2f, \"p99\": %.2f, \"server\": %.3f}\n", commits * (double)rows / (now - start),
         times[commits / 2] * 1e6, times[commits - 1 - commits / 100] * 1e6, cpu * 1e6 / commits / rows);
  return 0;
}
