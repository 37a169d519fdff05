import ArgumentParser
import ToDoModel
import ToDoRules
import ToDoStores

/// The options of commands that manage users and tokens.
struct AccountOptions: ParsableArguments {
  @Option(
    help: """
      The database of the server: \(StoreLocation.databases). (default: $TODO_SERVER_STORE, the store in \
      $TODO_SERVER_CONFIG or /etc/todo-server/config.json, or the list that todo uses without a server)
      """)
  var store: String?

  /// Runs `body` with the store open. Only a database with the schema of this version can be opened.
  ///
  /// - Parameter createsIfMissing: whether to create a database if there is none.
  /// - Throws: `ExitCode` after printing an error that the operator can correct; any other error of `body`.
  func withAccounts<Value>(
    createsIfMissing: Bool = false, _ body: (OpenAccounts) async throws -> Value
  ) async throws -> Value {
    do {
      let accounts = try OpenAccounts(StoreLocation.ofCommand(store), createsIfMissing: createsIfMissing)
      defer { accounts.store.close() }
      return try await body(accounts)
    } catch let error where error is SettingError || error is AccountError || isStoreError(error) {
      throw ExitCode(reporting: error)
    }
  }
}

extension ExitCode {
  /// Prints an error that the operator can correct, without the usage, which is not its cause.
  init(reporting error: any Error) {
    printError("Error: \(error)".escapingControls(keepingLines: true))
    self = .validationFailure
  }
}

extension UserName {
  /// Parses a command-line argument.
  ///
  /// - Throws: `ValidationError`.
  init(argument: String) throws {
    guard let name = UserName(argument) else {
      throw ValidationError("not a user name; use 1 to 64 of the letters a to z, digits, and . _ - @")
    }
    self = name
  }
}
