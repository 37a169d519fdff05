#include <sqlite3.h>

/// Makes SQLite reject a text in double quotes that names no column, which it would otherwise read as a string. The function of
/// SQLite takes a variable number of arguments, which Swift cannot pass.
static inline int rejectDoubleQuotedStrings(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  return code == SQLITE_OK ? sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0) : code;
}
