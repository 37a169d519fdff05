import ToDoModel
import ToDoRules
import ToDoSupport
import Tracing

/// A list that puts each operation of another list in a span `rules`, except watches, which last as long as their calls.
///
/// The attribute `todo.operation` is the name of the operation.
struct TracedList: ServedList {
  private let base: any ServedList
  private let tracer: any Tracer

  /// - Parameter tracer: the backend that receives the spans.
  init(_ base: any ServedList, tracer: any Tracer) {
    self.base = base
    self.tracer = tracer
  }

  private func traced<Value: Sendable>(
    _ operation: String, _ body: () async throws -> Value
  ) async throws -> Value {
    try await tracer.withAnySpan("rules") { span in
      span.attributes["todo.operation"] = operation
      return try await body()
    }
  }

  // MARK: Cached reads

  var cachedRevision: Revision? { base.cachedRevision }

  func lookUpItem(_ id: ItemID) throws -> Lookup<ToDoItem> {
    let start = DefaultTracerClock.now
    let found = Result { try base.lookUpItem(id) }
    if case .success(.pending(let read)) = found {
      return .pending {
        try await tracer.withAnySpan("rules", at: start) { span in
          span.attributes["todo.operation"] = "item"
          return try await read()
        }
      }
    }
    return try tracer.withAnySpan("rules", at: start) { span in
      span.attributes["todo.operation"] = "item"
      return try found.get()
    }
  }

  // MARK: Admission

  func checkWriteRate() throws { try base.checkWriteRate() }

  // MARK: Attribution

  func attributed(to origin: ChangeOrigin, under right: WriteRight?) -> TracedList {
    TracedList(base.attributed(to: origin, under: right), tracer: tracer)
  }

  // MARK: Operations

  func addItem(
    _ item: NewItem, options: SaveOptions
  ) async throws -> ToDoItem {
    try await traced("addItem") {
      try await base.addItem(item, options: options)
    }
  }

  func addItems(
    _ items: [NewItem], options: SaveOptions
  ) async throws -> [ToDoItem] {
    try await traced("addItems") {
      try await base.addItems(items, options: options)
    }
  }

  func item(_ id: ItemID) async throws -> ToDoItem { try await lookUpItem(id).value }

  func items(_ query: ItemQuery) async throws -> ItemPage { try await traced("items") { try await base.items(query) } }

  func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem {
    try await traced("updateItem") {
      try await base.updateItem(id, edit, ifRevision: ifRevision, options: options)
    }
  }

  func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    try await traced("checkItem") { try await base.checkItem(id, ifRevision: ifRevision) }
  }

  func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await traced("uncheckItem") {
      try await base.uncheckItem(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
    }
  }

  func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult {
    try await traced("deleteItem") {
      try await base.deleteItem(id, ifRevision: ifRevision, permanentlyIfFull: permanentlyIfFull)
    }
  }

  func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    try await traced("deleteItems") {
      try await base.deleteItems(selection, permanentlyIfFull: permanentlyIfFull)
    }
  }

  func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult {
    try await traced("renameTag") { try await base.renameTag(renaming) }
  }

  func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await traced("undeleteItem") {
      try await base.undeleteItem(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
    }
  }

  func history(_ query: HistoryQuery) async throws -> HistoryPage {
    try await traced("history") { try await base.history(query) }
  }

  func revertRevision(_ revision: Revision) async throws -> Reversal {
    try await traced("revertRevision") { try await base.revertRevision(revision) }
  }

  func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage {
    try await traced("nearbyItems") { try await base.nearbyItems(query) }
  }

  func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult {
    try await traced("geocode") { try await base.geocode(query) }
  }

  func changes(_ query: ChangeQuery) async throws -> ChangePage {
    try await traced("changes") { try await base.changes(query) }
  }

  func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
    base.watch(from: start, state: state, filter: filter)
  }

  func info() async throws -> ServiceInfo { try await traced("info") { try await base.info() } }
}
