public import ToDoModel
import ToDoProtocol

extension ToDoClient: ToDoService {
  public func addItem(
    _ item: NewItem, allowingDuplicate: Bool, savingWithoutCoordinate: Bool
  ) async throws -> ToDoItem {
    let request = AddItemRequest(
      item: item, allowingDuplicate: allowingDuplicate, savingWithoutCoordinate: savingWithoutCoordinate)
    return try await call(ToDoMethods.addItem, request, isIdempotent: true).checked(is: item.id)
  }

  public func addItems(
    _ items: [NewItem], allowingDuplicates: Bool, savingWithoutCoordinates: Bool
  ) async throws -> [ToDoItem] {
    let request = BatchAddItemsRequest(
      items: items, allowingDuplicates: allowingDuplicates, savingWithoutCoordinates: savingWithoutCoordinates)
    return try await call(ToDoMethods.batchAddItems, request, isIdempotent: true).checked(are: items)
  }

  public func item(_ id: ItemID) async throws -> ToDoItem {
    try await call(ToDoMethods.getItem, ItemReference(id: id), isIdempotent: true).checked(is: id)
  }

  public func items(_ query: ItemQuery) async throws -> ItemPage {
    // In the wire format, 0 means the default page size, so the client rejects it.
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    return try await call(ToDoMethods.listItems, query, isIdempotent: true).checked(for: query)
  }

  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, allowingDuplicate: Bool, savingWithoutCoordinate: Bool
  ) async throws -> ToDoItem {
    let request = UpdateItemRequest(
      id: id, edit: edit, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate,
      savingWithoutCoordinate: savingWithoutCoordinate)
    return try await call(ToDoMethods.updateItem, request, isIdempotent: ifRevision == nil).checked(is: id)
  }

  public func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    let reference = ItemReference(id: id, ifRevision: ifRevision)
    return try await call(ToDoMethods.checkItem, reference, isIdempotent: ifRevision == nil).checked(is: id)
  }

  public func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    let reference = ItemReference(id: id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
    return try await call(ToDoMethods.uncheckItem, reference, isIdempotent: ifRevision == nil).checked(is: id)
  }

  public func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult {
    // Deleting the item again fails with `itemNotFound`, unlike the first deletion.
    let reference = ItemReference(id: id, ifRevision: ifRevision, permanentlyIfFull: permanentlyIfFull)
    return try await call(ToDoMethods.deleteItem, reference, isIdempotent: false)
  }

  public func undeleteItem(_ id: ItemID, allowingDuplicate: Bool, ifRevision: Revision?) async throws -> ToDoItem {
    // Restoring the item again fails with `itemNotDeleted`, unlike the first time.
    let request = ItemReference(id: id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
    return try await call(ToDoMethods.undeleteItem, request, isIdempotent: false).checked(is: id)
  }

  public func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    let request = BulkDeletionRequest(selection, permanentlyIfFull: permanentlyIfFull)
    return try await call(ToDoMethods.deleteItems, request, isIdempotent: false)
  }

  public func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    // In the wire format, 0 means any distance.
    if query.radius == 0 {
      throw ToDoError.invalidRequest([FieldViolation("radius_meters", "is 0; it must be a number greater than 0")])
    }
    return try await call(ToDoMethods.listNearbyItems, query, isIdempotent: true).checked(for: query)
  }

  public func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult {
    if query.limit == 0 {
      throw ToDoError.invalidRequest([FieldViolation("limit", "is 0; it must be at least 1")])
    }
    return try await call(ToDoMethods.geocodeAddress, query, isIdempotent: true).checked(for: query)
  }

  public func changes(_ query: ChangeQuery) async throws -> ChangePage {
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    return try await call(ToDoMethods.listChanges, query, isIdempotent: true).checked(for: query)
  }

  public func history(_ query: HistoryQuery) async throws -> HistoryPage {
    // In the wire format, 0 means the default page size and any revision.
    if query.pageSize == 0 { throw ToDoError.invalidRequest([.pageSizeZero]) }
    if query.before == .initial {
      throw ToDoError.invalidRequest([FieldViolation("before_revision", "is 0; it must be at least 1")])
    }
    return try await call(ToDoMethods.listRevisions, query, isIdempotent: true).checked(for: query)
  }

  public func revertRevision(_ revision: Revision) async throws -> Reversal {
    // Reverting the revision again refuses the items, unlike the first time.
    try await call(ToDoMethods.revertRevision, revision, isIdempotent: false)
  }

  /// Watches the list.
  ///
  /// Each watch has its own connection, so a slow consumer does not delay calls or other watches. After the first event, the
  /// watch reconnects when the connection is lost, and resumes after the last event. If the server no longer has the changes
  /// after that event, the watch emits `WatchEvent.restarted` and a snapshot.
  public func watch(from start: WatchStart, state: ItemState) -> WatchEvents {
    WatchEvents { [connectForWatch, configuration, endpoint] in
      let watch = ResumingWatch(
        from: start, policy: .connection(retryLimit: configuration.retryLimit, backoff: configuration.backoff),
        connectionStateChanged: configuration.watchConnectionChanged
      ) { start in
        let metadata = try configuration.metadata(for: endpoint)
        return try WatchStream(
          from: start, state, over: try await connectForWatch(), metadata, limit: configuration.maximumSnapshotSize)
      }
      return { try await watch.next() }
    }
  }

  public func info() async throws -> ServiceInfo {
    try await call(ToDoMethods.getServerInfo, (), isIdempotent: true)
  }

  /// Returns whether the server accepts calls.
  ///
  /// - Throws: `RPCError`.
  public func isServing() async throws -> Bool {
    try await call(HealthMethods.check, "", isIdempotent: true) == .serving
  }
}

extension FieldViolation {
  fileprivate static let pageSizeZero = FieldViolation("page_size", "is 0; it must be at least 1")
}
