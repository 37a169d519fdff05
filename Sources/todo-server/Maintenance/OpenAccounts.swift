import ToDoModel
import ToDoRules
import ToDoStores

#if PostgreSQL
import ToDoPostgreSQLStore
#endif

/// The open users and tokens of a store. They must be closed with `close`.
struct OpenAccounts {
  let store: any AccountStore
  /// Deletes a list with its history permanently, and returns the number of deleted rows.
  let purgeList: @Sendable (OwnerID) async throws -> Int
  let close: @Sendable () -> Void

  /// Opens the users and tokens of a store that has the schema of this version.
  ///
  /// - Parameter createsIfMissing: whether to create the database, or its tables, if there are none.
  /// - Throws: `SettingError`, or the store's error.
  init(_ location: StoreLocation, createsIfMissing: Bool = false) throws {
    switch location {
    case .memory:
      throw SettingError(
        name: "store", value: "memory:",
        reason: "has no users or tokens after the server ends; use \(StoreLocation.databases)")
    case .sqlite(let path):
      let accounts = try SQLiteAccountStore(path: path, createsIfMissing: createsIfMissing)
      store = accounts
      purgeList = { try await accounts.purgeList($0) }
      close = { accounts.close() }
    case .postgreSQL(let uri):
      #if PostgreSQL
      let accounts = try PostgreSQLAccountStore(uri: uri, createsIfMissing: createsIfMissing)
      store = accounts
      purgeList = { try await accounts.purgeList($0) }
      close = { accounts.close() }
      #else
      preconditionFailure("\(uri) is not a valid store of this build")
      #endif
    }
  }
}

/// Whether an operator can correct an error of a store, so that it is an error of the command's arguments.
func isStoreError(_ error: any Error) -> Bool {
  #if PostgreSQL
  if error is PostgreSQLStoreError { return true }
  #endif
  return error is SQLiteStoreError
}
