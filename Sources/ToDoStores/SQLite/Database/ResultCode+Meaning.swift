import GRDB
import GRDBSQLite

extension ResultCode {
  /// SQLite's description of the code, without statement, table or value.
  var meaning: String {
    let text = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown error"
    return "\(text) (SQLite code \(rawValue))"
  }
}
