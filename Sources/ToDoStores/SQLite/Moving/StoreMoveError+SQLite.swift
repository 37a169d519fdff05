import ToDoModel
import ToDoSQLite

extension StoreMoveError {
  /// Runs `body`, and throws its errors of SQLite and of the store as `failed`.
  package static func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as SQLiteError {
      throw failed(reason: "the database file failed: \(error.code.meaning)")
    } catch let error as ToDoError {
      throw failed(reason: "\(error)")
    }
  }
}
