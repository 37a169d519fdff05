import ToDoModel
import ToDoSupport

/// The items in a further list, which every call looks up again, because the list may have been deleted.
struct ItemsOfList: ToDoService {
  let lists: LocalToDoListService
  let list: ListID

  private var items: LocalToDoService {
    get async throws { try await lists.lookUpItems(in: list).value }
  }

  func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem {
    try await items.addItem(item, options: options)
  }

  func addItems(_ items: [NewItem], options: SaveOptions) async throws -> [ToDoItem] {
    try await self.items.addItems(items, options: options)
  }

  func item(_ id: ItemID) async throws -> ToDoItem { try await items.item(id) }

  func items(_ query: ItemQuery) async throws -> ItemPage { try await items.items(query) }

  func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem {
    try await items.updateItem(id, edit, ifRevision: ifRevision, options: options)
  }

  func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    try await items.checkItem(id, ifRevision: ifRevision)
  }

  func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await items.uncheckItem(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
  }

  func deleteItem(_ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool) async throws -> DeletionResult {
    try await items.deleteItem(id, ifRevision: ifRevision, permanentlyIfFull: permanentlyIfFull)
  }

  func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await items.undeleteItem(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
  }

  func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    try await items.deleteItems(selection, permanentlyIfFull: permanentlyIfFull)
  }

  func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult { try await items.renameTag(renaming) }

  func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage { try await items.nearbyItems(query) }

  func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult { try await items.geocode(query) }

  func changes(_ query: ChangeQuery) async throws -> ChangePage { try await items.changes(query) }

  func history(_ query: HistoryQuery) async throws -> HistoryPage { try await items.history(query) }

  func revertRevision(_ revision: Revision) async throws -> Reversal { try await items.revertRevision(revision) }

  func info() async throws -> ServiceInfo {
    var info = try await items.info()
    info.capabilities.formUnion([.lists, .moveItems, .watchLists])
    if lists.sharing != nil { info.capabilities.insert(.listSharing) }
    return info
  }

  func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
    lists.willWatch?()
    return WatchEvents { [lists, list] in
      let watch = EndingWatch(lists, list, from: start, state, filter)
      return { try await watch.next() }
    }
  }
}

/// A watch of a list's items, which fails as soon as the list is deleted.
private actor EndingWatch {
  /// The events of the watch.
  // The iterator is not Sendable. Only the task that reads the next event uses it, and `next()` is not called again before that
  // task has ended.
  private struct Events: @unchecked Sendable {
    var iterator: WatchEvents.AsyncIterator
  }

  private let lists: LocalToDoListService
  private let list: ListID
  private let start: WatchStart
  private let state: ItemState
  private let filter: ItemFilter
  private var events: Events?

  init(
    _ lists: LocalToDoListService, _ list: ListID, from start: WatchStart, _ state: ItemState, _ filter: ItemFilter
  ) {
    self.lists = lists
    self.list = list
    self.start = start
    self.state = state
    self.filter = filter
  }

  /// - Throws: `ToDoError.listNotFound` once the list was deleted.
  func next() async throws -> WatchEvent? {
    let items = try await lists.lookUpItems(in: list).value
    let events =
      events ?? Events(iterator: items.watch(from: start, state: state, filter: filter).makeAsyncIterator())
    let (event, rest) =
      try await withThrowingTaskGroup(of: (WatchEvent?, Events)?.self) { group in
        group.addTask {
          var events = events
          return (try await events.iterator.next(), events)
        }
        group.addTask { [lists, list] in
          try await lists.waitUntilUnavailable(list)
          return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      } ?? (nil, events)
    self.events = rest
    // A change can arrive before the end of the caller's access that preceded it.
    if event != nil { try await lists.checkAvailability(of: list) }
    return event
  }
}
