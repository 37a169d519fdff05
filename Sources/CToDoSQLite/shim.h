#include <sqlite3.h>
#include <sys/types.h>

/// Declared here, because the headers of Linux declare it only under a macro.
int fallocate(int descriptor, int mode, off_t offset, off_t length);

/// Makes SQLite reject a text in double quotes that names no column, which it would otherwise read as a string. The function of
/// SQLite takes a variable number of arguments, which Swift cannot pass.
static inline int rejectDoubleQuotedStrings(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  return code == SQLITE_OK ? sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0) : code;
}

/// Makes SQLite run nothing of a database's schema that has side effects, and reject statements that damage a file.
static inline int distrustSchema(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  return code == SQLITE_OK ? sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0) : code;
}

/// Determines whether VACUUM deletes everything in a database, also in a damaged one.
static inline int setResetAtVacuum(sqlite3 *connection, int isSet) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_RESET_DATABASE, isSet, (int *)0);
}
