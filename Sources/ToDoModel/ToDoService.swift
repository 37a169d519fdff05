/// Every operation on one person's list.
///
/// `LocalToDoService` does the work over a store; `ToDoClient` asks a server to do it. Whoever holds a `ToDoService`
/// cannot tell which, but for the errors of the network: all operations throw `ToDoError` when the list refuses,
/// a client throws `RPCError` besides when there is no answer. All can be called concurrently, and are cancelled
/// with their task; a change that had begun may then have been made or not.
///
/// Revisions that a service returns with an item, with a page, and in the progress of a watch name the incarnation of the
/// list. Where a revision of another incarnation is passed back, or a page token, `listReplaced` is thrown: what the
/// caller knows of the list is void.
///
/// `ServiceContract` in TestSupport is this contract as a test suite; every implementation passes it.
public protocol ToDoService: Sendable {
  /// Adds an item and returns it as stored.
  ///
  /// Adding an identity again with the content it was first added with is a retry: it returns the item as it is now,
  /// edited or checked since.
  ///
  /// An address without a coordinate is looked up, when the service has a geocoder, and the coordinate is stored with
  /// it. A coordinate that the caller gives is kept.
  ///
  /// - Parameters:
  ///   - allowingDuplicate: whether to add it beside an undone item with the same content.
  ///   - savingWithoutCoordinate: whether to add it although no coordinate could be found for its address. If the
  ///     geocoder was at fault, a server finds it later.
  /// - Throws: `invalidItem`, `duplicateItem`, `itemIDConflict`, `itemIDDeleted`, `addressNotFound`,
  ///   `geocoderUnavailable`.
  func addItem(_ item: NewItem, allowingDuplicate: Bool, savingWithoutCoordinate: Bool) async throws -> ToDoItem

  /// Adds 1 to 500 items, all or none, each by the rules of `addItem`; they share one revision.
  ///
  /// - Throws: `invalidRequest` for no item or too many, and what `addItem` throws, for the first item refused.
  func addItems(
    _ items: [NewItem], allowingDuplicates: Bool, savingWithoutCoordinates: Bool
  ) async throws -> [ToDoItem]

  /// - Throws: `itemNotFound`.
  func item(_ id: ItemID) async throws -> ToDoItem

  /// One page of a listing.
  ///
  /// - Throws: `invalidRequest`, `invalidPageToken`.
  func items(_ query: ItemQuery) async throws -> ItemPage

  /// Changes some fields of an item. An edit that changes nothing leaves the revision as it is.
  ///
  /// A coordinate that was found goes with its address; another address is looked up anew. A coordinate that a person
  /// gave stays.
  ///
  /// - Parameters:
  ///   - ifRevision: do it only if this is the item's revision.
  ///   - savingWithoutCoordinate: as in `addItem`, for another address.
  /// - Throws: `invalidItem`, `invalidRequest` for an empty edit, `itemNotFound`, `revisionMismatch`,
  ///   `addressNotFound`, `geocoderUnavailable`.
  func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, savingWithoutCoordinate: Bool
  ) async throws -> ToDoItem

  /// Marks an item as done. An item that is done already is returned unchanged.
  ///
  /// - Throws: `itemNotFound`, `revisionMismatch`.
  func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem

  /// Marks an item as to do again. An item that is to do already is returned unchanged.
  ///
  /// - Throws: `itemNotFound`, `revisionMismatch`.
  func uncheckItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem

  /// Deletes an item for good and returns the revision of that change.
  ///
  /// - Throws: `itemNotFound`, `revisionMismatch`.
  func deleteItem(_ id: ItemID, ifRevision: Revision?) async throws -> Revision

  /// Deletes all items, or all done ones, at once.
  func deleteItems(_ selection: BulkDeletion) async throws -> BulkDeletionResult

  /// One page of the undone items that have a coordinate, by their distance from a place.
  ///
  /// - Throws: `invalidRequest`, `invalidPageToken`.
  func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage

  /// Finds where an address is. Nothing is stored.
  ///
  /// - Throws: `invalidRequest`, `geocoderUnavailable`, also when the service has no geocoder.
  func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult

  /// One page of the feed of changes, for callers that cannot watch.
  ///
  /// - Throws: `invalidRequest`, `invalidPageToken`, `revisionCompacted`, `revisionInFuture`.
  func changes(_ query: ChangeQuery) async throws -> ChangePage

  /// Watches the list: its changes as they happen, each once and none missing.
  ///
  /// What goes wrong is thrown by the iteration.
  ///
  /// - Parameter state: only items, and changes of items that have this state before or after the change.
  /// - Throws: `invalidRequest` for a negative revision, `revisionCompacted`, `revisionInFuture`, `watchTooSlow`.
  func watch(from start: WatchStart, state: ItemState) -> WatchEvents

  /// What the service says about itself.
  func info() async throws -> ServiceInfo
}

extension ToDoService {
  /// Adds an item as `addItem(_:allowingDuplicate:savingWithoutCoordinate:)` does, with a coordinate for its address.
  public func addItem(_ item: NewItem, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await addItem(item, allowingDuplicate: allowingDuplicate, savingWithoutCoordinate: false)
  }

  /// Adds items as `addItems(_:allowingDuplicates:savingWithoutCoordinates:)` does, with coordinates for their addresses.
  public func addItems(_ items: [NewItem], allowingDuplicates: Bool) async throws -> [ToDoItem] {
    try await addItems(items, allowingDuplicates: allowingDuplicates, savingWithoutCoordinates: false)
  }

  /// Changes an item as `updateItem(_:_:ifRevision:savingWithoutCoordinate:)` does, with a coordinate for a new address.
  public func updateItem(_ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?) async throws -> ToDoItem {
    try await updateItem(id, edit, ifRevision: ifRevision, savingWithoutCoordinate: false)
  }
}

/// What a bulk deletion did.
public struct BulkDeletionResult: Equatable, Sendable {
  public var deletedCount: Int
  /// The list's revision afterwards; the same as before when nothing was deleted.
  public var revision: Revision

  public init(deletedCount: Int, revision: Revision) {
    self.deletedCount = deletedCount
    self.revision = revision
  }
}
