import ToDoModel
import ToDoStores

/// The store that the settings name, open until `close`.
struct OpenStore {
  let items: any ToDoItemStore
  let accounts: any AccountStore
  /// Throws when nothing can be kept any more.
  let watchDisk: @Sendable () async throws -> Void
  /// Returns whether the store has the schema of this program, without which every write fails.
  let isSchemaCurrent: @Sendable () async throws -> Bool
  let close: @Sendable () async -> Void

  /// - Throws: the store's own error, which names the file.
  init(_ location: StoreLocation, retention: ChangeRetention, cacheSize: Int) throws {
    switch location {
    case .memory:
      items = MemoryToDoItemStore(retention: retention)
      accounts = MemoryAccountStore()
      watchDisk = {}
      isSchemaCurrent = { true }
      close = {}
    case .sqlite(let path):
      let store = try SQLiteToDoItemStore(path: path, retention: retention, cacheSize: cacheSize, reserve: 1 << 20)
      let accounts = try SQLiteAccountStore(path: path)
      items = store
      self.accounts = accounts
      watchDisk = { try await store.watchDisk() }
      isSchemaCurrent = { try await accounts.isSchemaCurrent() }
      close = {
        accounts.close()
        await store.close()
      }
    }
  }
}
