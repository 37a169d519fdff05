import ToDoStores

#if PostgreSQL
import ToDoPostgreSQLStore
#endif

/// The open users and tokens of a store, which must be closed.
struct OpenAccounts {
  let store: any DatabaseAccountStore

  /// Opens the users and tokens of a store that has this version's schema.
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
      store = try SQLiteAccountStore(path: path, createsIfMissing: createsIfMissing)
    case .postgreSQL(let uri):
      #if PostgreSQL
      store = try PostgreSQLAccountStore(uri: uri, createsIfMissing: createsIfMissing)
      #else
      preconditionFailure("\(uri) is not a valid store of this build")
      #endif
    }
  }
}

/// Whether an operator can correct a store's error, so that it is an error of the command's arguments.
func isStoreError(_ error: any Error) -> Bool {
  #if PostgreSQL
  if error is PostgreSQLStoreError { return true }
  #endif
  return error is SQLiteStoreError
}
