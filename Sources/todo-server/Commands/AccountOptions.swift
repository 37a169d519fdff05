import ArgumentParser
import ToDoRules
import ToDoStores

/// The options of commands that manage users and tokens.
struct AccountOptions: ParsableArguments {
  @Option(
    help: """
      The database of the server: sqlite:PATH. (default: $TODO_SERVER_STORE, or the list that todo uses without a server)
      """)
  var store: String?

  /// Returns the path of the database.
  ///
  /// - Throws: `ValidationError` if the store is not a database.
  func path() throws -> String {
    do {
      let text = store ?? environmentVariable("TODO_SERVER_STORE")
      let location = try text.map(StoreLocation.init) ?? .personal(environment: environmentVariable)
      guard case .sqlite(let path) = location else {
        throw SettingError(
          name: "store", value: text ?? "", reason: "has no users or tokens after the server ends; use sqlite:PATH")
      }
      return path
    } catch let error as SettingError {
      throw ValidationError("\(error)")
    }
  }

  /// Runs `body` with the store open. Only a database with the schema of this version can be opened.
  ///
  /// - Parameter createsIfMissing: whether to create a database if there is none.
  /// - Throws: `ValidationError` for errors that the operator can correct.
  func withAccounts<Value>(
    createsIfMissing: Bool = false, _ body: (SQLiteAccountStore) async throws -> Value
  ) async throws -> Value {
    do {
      let accounts = try SQLiteAccountStore(path: try path(), createsIfMissing: createsIfMissing)
      defer { accounts.close() }
      return try await body(accounts)
    } catch let error where error is SettingError || error is AccountError || error is SQLiteStoreError {
      throw ValidationError("\(error)")
    }
  }
}

/// A user name as a command-line argument.
struct NameArgument: ExpressibleByArgument {
  let name: UserName

  init?(argument: String) {
    guard let name = UserName(argument) else { return nil }
    self.name = name
  }
}
