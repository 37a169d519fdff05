import Logging
import ToDoModel
import ToDoStores

/// The store that the settings name, open until `close`.
struct OpenStore {
  let items: any ToDoItemStore
  let close: () async -> Void

  init(_ location: StoreLocation, _ logger: Logger) throws {
    switch location {
    case .memory, .sqlite, .default:
      items = MemoryToDoItemStore()
      close = {}
      logger.warning("the items are kept in memory only")
    }
  }
}
