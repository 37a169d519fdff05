import ArgumentParser
import ProgramSupport
import ToDoStores

/// The option of maintenance commands for the database file.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: """
      The database of the server: sqlite:PATH. (default: $TODO_SERVER_STORE, or the list that todo uses without a server)
      """)
  var store: String?

  /// Runs `body` with the path of the database.
  ///
  /// - Throws: `ExitCode` after printing an error that the operator can correct; any other error of `body`.
  func withDatabase<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
    do {
      let text = store ?? environmentVariable("TODO_SERVER_STORE")
      let location = try text.map(StoreLocation.init) ?? .personal(environment: environmentVariable)
      guard case .sqlite(let path) = location else {
        throw SettingError(name: "store", value: text ?? "", reason: "is not a database file; use sqlite:PATH")
      }
      return try await body(path)
    } catch let error where error is SettingError || error is SQLiteStoreError || error is DatabaseMaintenanceError {
      printError("Error: \(error)")
      throw ExitCode(.failure)
    }
  }
}
