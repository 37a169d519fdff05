import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores

#if PostgreSQL
import ToDoPostgreSQLStore
#endif

/// The open store of the server. It must be closed with `close`.
struct OpenStore {
  let items: any ToDoItemStore
  let accounts: any AccountStore & ListStore & NotificationTargetStore & ReminderStateStore
  /// Waits until the store can no longer keep writes, and then throws.
  let waitForFailure: @Sendable () async throws -> Void
  /// Returns whether the store has this program's schema, and is the one that was opened. Otherwise every write fails.
  let isSchemaCurrent: @Sendable () async throws -> Bool
  let close: @Sendable () async -> Void

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - replicaURI: the connection URI of a PostgreSQL store's replicas; `nil` for none.
  ///   - observability: the backends that receive the store's metrics and spans.
  /// - Throws: the store's error, which names the file.
  init(
    _ location: StoreLocation, replicaURI: String? = nil, retention: ChangeRetention, cacheSize: Int,
    observability: Observability
  ) throws {
    switch location {
    case .memory:
      let store = MemoryToDoItemStore(retention: retention)
      items = observability.observing(store)
      accounts = MemoryAccountStore(lists: store)
      waitForFailure = {}
      isSchemaCurrent = { true }
      close = {}
    case .sqlite(let path):
      let store = try SQLiteToDoItemStore(
        path: path, retention: retention, cacheSize: cacheSize, reserve: 1 << 20,
        observers: observability.storeObservers)
      let accounts = try SQLiteAccountStore(beside: store)
      items = observability.observing(store)
      self.accounts = accounts
      waitForFailure = { try await store.waitForFailure() }
      isSchemaCurrent = { try await accounts.isSchemaCurrent() }
      close = {
        accounts.close()
        await store.close()
      }
    case .postgreSQL(let uri):
      #if PostgreSQL
      let store = try PostgreSQLToDoItemStore(
        uri: uri, replicaURI: replicaURI, retention: retention, observer: observability.storeObservers.writeGroups)
      let accounts = try PostgreSQLAccountStore(uri: uri)
      items = observability.observing(store)
      self.accounts = accounts
      // The database syncs its own writes.
      waitForFailure = {}
      isSchemaCurrent = { try await accounts.isSchemaCurrent() }
      close = {
        accounts.close()
        await store.close()
      }
      #else
      preconditionFailure("\(uri) is not a valid store of this build")
      #endif
    }
  }
}
