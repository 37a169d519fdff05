import ArgumentParser
import ToDoModel
import ToDoStores

/// Where users and tokens are.
struct AccountOptions: ParsableArguments {
  @Option(
    help: """
      The store of the server: sqlite:PATH. (default: TODO_SERVER_STORE, or else the list that todo uses without a server)
      """)
  var store: String?

  /// Runs `body` with the store open.
  ///
  /// - Throws: `ValidationError` for what the person can mend.
  func withAccounts<Value>(_ body: (SQLiteAccountStore) async throws -> Value) async throws -> Value {
    do {
      let text = store ?? environmentVariable("TODO_SERVER_STORE")
      let location = try text.map(StoreLocation.init) ?? .personal(environment: environmentVariable)
      guard case .sqlite(let path) = location else {
        throw SettingError(name: "store", value: text ?? "", reason: "keeps no users once the server has ended")
      }
      let accounts = try SQLiteAccountStore(path: path)
      defer { accounts.close() }
      return try await body(accounts)
    } catch let error where error is SettingError || error is AccountError || error is SQLiteStoreError {
      throw ValidationError("\(error)")
    }
  }
}

/// A user's name as an argument.
struct NameArgument: ExpressibleByArgument {
  let name: UserName

  init?(argument: String) {
    guard let name = UserName(argument) else { return nil }
    self.name = name
  }
}
