import GRDB
import GRDBSQLite

extension ResultCode {
  /// What SQLite says about the code in general: without statement, table or value.
  var meaning: String {
    let text = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown error"
    return "\(text) (SQLite code \(rawValue))"
  }
}
