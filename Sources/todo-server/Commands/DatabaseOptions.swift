import ArgumentParser
import ToDoStores
import ToDoSupport

/// The option of maintenance commands for the database file.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: """
      The database of the server: sqlite:PATH. (default: $TODO_SERVER_STORE, the store in $TODO_SERVER_CONFIG or \
      /etc/todo-server/config.json, or the list that todo uses without a server)
      """)
  var store: String?

  /// Runs `body` with the database's path.
  ///
  /// - Throws: `ExitCode` after printing an error that the operator can correct; any other error of `body`.
  func withDatabase<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
    do {
      switch try StoreLocation.ofCommand(store) {
      case .sqlite(let path):
        return try await body(path)
      case .memory:
        throw SettingError(name: "store", value: "memory:", reason: "is not a database file; use sqlite:PATH")
      case .postgreSQL:
        throw SettingError(
          name: "store", value: "postgresql://...",
          reason: "is not a database file; use the tools of PostgreSQL, such as pg_dump and pg_amcheck")
      }
    } catch let error where error is SettingError || error is SQLiteStoreError || error is DatabaseMaintenanceError {
      printError("Error: \(error)")
      throw ExitCode(.failure)
    }
  }
}
