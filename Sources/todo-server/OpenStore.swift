import ToDoModel
import ToDoStores

/// The store that the settings name, open until `close`.
struct OpenStore {
  let items: any ToDoItemStore
  let accounts: any AccountStore
  let close: @Sendable () async -> Void

  /// - Throws: the store's own error, which names the file.
  init(_ location: StoreLocation, retention: ChangeRetention) throws {
    switch location {
    case .memory:
      items = MemoryToDoItemStore(retention: retention)
      accounts = MemoryAccountStore()
      close = {}
    case .sqlite(let path):
      let store = try SQLiteToDoItemStore(path: path, retention: retention)
      let accounts = try SQLiteAccountStore(path: path)
      items = store
      self.accounts = accounts
      close = {
        accounts.close()
        await store.close()
      }
    }
  }
}
