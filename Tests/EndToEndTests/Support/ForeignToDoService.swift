#if GRPC || HTTP
import ToDoProtobuf
import ToDoRPC
import ToDoTestServers
import ToDoModel
import ToDoProtocol

/// The list behind a server of gRPC or HTTP, as generated code in another language sees it: a call a method, and nothing
/// repeated.
struct ForeignToDoService: ToDoService {
  let client: any MethodClient
  var list = ListID.default
  /// The headers of each call.
  var metadata: [String: String] = [:]

  func call<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request
  ) async throws -> Response {
    try await mappingErrors {
      try method.response.decode(
        bytes: try await client.call(method.name, method.request.encoded(request), metadata: metadata))
    }
  }

  private func call<Request, Response>(
    _ method: Method<Scoped<Request>, Response>, _ request: Request
  ) async throws -> Response {
    try await call(method, Scoped(request, in: list))
  }

  func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem {
    try await call(
      ToDoMethods.addItem,
      AddItemRequest(item: item, options: options))
  }

  func addItems(
    _ items: [NewItem], options: SaveOptions
  ) async throws -> [ToDoItem] {
    try await call(
      ToDoMethods.batchAddItems,
      BatchAddItemsRequest(items: items, options: options))
  }

  func item(_ id: ItemID) async throws -> ToDoItem { try await call(ToDoMethods.getItem, SingleItemRequest(id: id)) }

  func items(_ query: ItemQuery) async throws -> ItemPage {
    // The wire's 0 means the default.
    if query.pageSize == 0 { throw ToDoError.invalidRequest([FieldViolation("page_size", "is 0")]) }
    return try await call(ToDoMethods.listItems, query)
  }

  func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem {
    try await call(
      ToDoMethods.updateItem,
      UpdateItemRequest(id: id, edit: edit, ifRevision: ifRevision, options: options))
  }

  func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    try await call(ToDoMethods.checkItem, SingleItemRequest(id: id, ifRevision: ifRevision))
  }

  func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await call(
      ToDoMethods.uncheckItem, SingleItemRequest(id: id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate))
  }

  func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult {
    try await call(
      ToDoMethods.deleteItem,
      SingleItemRequest(id: id, ifRevision: ifRevision, permanentlyIfFull: permanentlyIfFull))
  }

  func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    try await call(
      ToDoMethods.deleteItems, BulkDeletionRequest(selection, permanentlyIfFull: permanentlyIfFull))
  }

  func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult {
    try await call(ToDoMethods.renameTag, renaming)
  }

  func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await call(
      ToDoMethods.undeleteItem,
      SingleItemRequest(id: id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate))
  }

  func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([FieldViolation("page_size", "is 0")]) }
    if query.radius == 0 { throw ToDoError.invalidRequest([FieldViolation("radius_meters", "is 0")]) }
    return try await call(ToDoMethods.listNearbyItems, query)
  }

  func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult {
    if query.limit == 0 { throw ToDoError.invalidRequest([FieldViolation("limit", "is 0")]) }
    return try await call(ToDoMethods.geocodeAddress, query)
  }

  func changes(_ query: ChangeQuery) async throws -> ChangePage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([FieldViolation("page_size", "is 0")]) }
    return try await call(ToDoMethods.listChanges, query)
  }

  func history(_ query: HistoryQuery) async throws -> HistoryPage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([FieldViolation("page_size", "is 0")]) }
    return try await call(ToDoMethods.listRevisions, query)
  }

  func revertRevision(_ revision: Revision) async throws -> Reversal {
    try await call(ToDoMethods.revertRevision, revision)
  }

  func info() async throws -> ServiceInfo { try await call(ToDoMethods.getServerInfo, ()) }

  func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
    WatchEvents { [self] in
      let request = WatchRequest(start: start, state: state, filter: filter)
      let next = stream(ToDoMethods.watchItems, Scoped(request, in: list))
      var part: [ItemChange] = []
      return {
        while let message = try await next() {
          if let event = message.event(after: &part) { return event }
        }
        return nil
      }
    }
  }

  /// Calls a streaming method, and returns the function that returns its messages one after another.
  func stream<Request, Message: Sendable>(
    _ method: Method<Request, Message>, _ request: Request
  ) -> () async throws -> Message? {
    let (messages, continuation) = AsyncThrowingStream<Message, any Error>.makeStream()
    let bytes = method.request.encoded(request)
    let reading = Task { [client, metadata] in
      do {
        try await mappingErrors {
          try await client.readStream(method.name, bytes, metadata: metadata) { next in
            while let message = try await next() { continuation.yield(try method.response.decode(bytes: message)) }
          }
        }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    continuation.onTermination = { _ in reading.cancel() }
    let iterator = Iterator(messages.makeAsyncIterator())
    return { try await iterator.next() }
  }

  /// One iterator for all copies of the closure that asks it.
  private final class Iterator<Message: Sendable> {
    private var base: AsyncThrowingStream<Message, any Error>.AsyncIterator
    private var hasEnded = false

    init(_ base: AsyncThrowingStream<Message, any Error>.AsyncIterator) {
      self.base = base
    }

    func next() async throws -> Message? {
      guard !hasEnded else { return nil }
      do {
        let message = try await base.next()
        try Task.checkCancellation()
        return message
      } catch {
        hasEnded = true
        throw error
      }
    }
  }
}

/// Runs a call, and maps its errors to those of the list.
private func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
  do { return try await body() } catch let error as RPCError { throw ToDoError(error) ?? error as any Error }
}

extension WatchMessage {
  /// - Parameter part: the changes of a revision of which more follow.
  fileprivate func event(after part: inout [ItemChange]) -> WatchEvent? {
    switch self {
    case .changes(let set, let moreFollow):
      part += set.changes
      guard !moreFollow else { return nil }
      defer { part = [] }
      return .changes(ChangeSet(revision: set.revision, changes: part, user: set.user))
    case .snapshotPage(let items): return .snapshotPage(items)
    case .snapshotEnd(let revision): return .snapshotEnd(revision)
    case .progress(let revision): return .progress(revision)
    case .unknown: return nil
    }
  }
}
#endif
