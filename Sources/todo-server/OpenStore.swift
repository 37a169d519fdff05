import ToDoModel
import ToDoStores

/// The store that the settings name, open until `close`.
struct OpenStore {
  let items: any ToDoItemStore
  let close: @Sendable () async -> Void

  /// - Throws: the store's own error, which names the file.
  init(_ location: StoreLocation, retention: ChangeRetention) throws {
    switch location {
    case .memory:
      items = MemoryToDoItemStore(retention: retention)
      close = {}
    case .sqlite(let path):
      let store = try SQLiteToDoItemStore(path: path, retention: retention)
      items = store
      close = { await store.close() }
    }
  }
}
