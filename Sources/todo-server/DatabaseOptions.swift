import ArgumentParser
import ProgramSupport
import ToDoStores

/// The database file that an administrative command works on.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: """
      The store of the server: sqlite:PATH. (default: TODO_SERVER_STORE, or else the list that todo uses without a server)
      """)
  var store: String?

  /// Runs `body` with the path of the database.
  ///
  /// - Throws: `ValidationError` for what the operator can mend, with the error's own text.
  func withDatabase<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
    do {
      let text = store ?? environmentVariable("TODO_SERVER_STORE")
      let location = try text.map(StoreLocation.init) ?? .personal(environment: environmentVariable)
      guard case .sqlite(let path) = location else {
        throw SettingError(name: "store", value: text ?? "", reason: "is not a file; name sqlite:PATH")
      }
      return try await body(path)
    } catch let error where error is SettingError || error is SQLiteStoreError || error is DatabaseMaintenanceError {
      printError("Error: \(error)")
      throw ExitCode(.failure)
    }
  }
}
