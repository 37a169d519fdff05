/// The operations on one user's list.
///
/// `LocalToDoService` performs them over a store; `ToDoClient` sends them to a server. The two are interchangeable
/// except for network errors. Every operation throws `ToDoError` if the service rejects it; a client also throws
/// `RPCError` if no response arrives. All operations can be called concurrently, and are canceled with their task. A
/// write that is canceled after it began may or may not take effect.
///
/// The revisions of returned items, pages and watch progress name the list's incarnation. If the caller passes a
/// revision or a page token of another incarnation, the operation throws `listReplaced`: everything that the caller has
/// cached from the list is void.
///
/// `ServiceContract` in ToDoTesting is this contract as a test suite, which every implementation passes.
public protocol ToDoService: Sendable {
  /// Adds an item and returns the stored item.
  ///
  /// Adding an ID again with its original content is a retry. It returns the current item, which may have been edited
  /// or checked since.
  ///
  /// If the service has a geocoder, it looks up an address without a coordinate, and stores the coordinate unless it is a
  /// guess. A coordinate that the caller sets is never replaced.
  ///
  /// - Throws: `invalidItem`, `duplicateItem`, `itemIDConflict`, `itemIDDeleted`, `addressNotFound`,
  ///   `geocoderUnavailable`.
  func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem

  /// Adds 1 to 500 items, all or none, as `addItem` does. They share one revision.
  ///
  /// - Throws: `invalidRequest` for no items or too many, and the errors of `addItem` for the first rejected item.
  func addItems(_ items: [NewItem], options: SaveOptions) async throws -> [ToDoItem]

  /// Returns an item.
  ///
  /// - Throws: `itemNotFound`.
  func item(_ id: ItemID) async throws -> ToDoItem

  /// Returns one page of a listing.
  ///
  /// - Throws: `invalidRequest`, `invalidPageToken`.
  func items(_ query: ItemQuery) async throws -> ItemPage

  /// Changes some fields of an item. An edit that changes nothing does not increment the revision.
  ///
  /// A geocoded coordinate is removed with its address, and a new address is looked up. A coordinate that a user set is
  /// retained.
  ///
  /// - Parameters:
  ///   - ifRevision: the revision that the item must have, or `nil` for any.
  ///   - options: as in `addItem`, for an edit that changes an incomplete item, or sets an address.
  /// - Throws: `invalidItem`, `invalidRequest` for an empty edit, `itemNotFound`, `duplicateItem`, `revisionMismatch`,
  ///   `addressNotFound`, `geocoderUnavailable`.
  func updateItem(_ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions) async throws -> ToDoItem

  /// Marks an item as done. Returns an item that is already done unchanged.
  ///
  /// An item that repeats, and has a further occurrence, stays incomplete: in one revision, a done item is added for the
  /// occurrence, with its own ID and number, and the item moves on to the first due date that is not overdue. A call that
  /// is repeated with the same `ifRevision` does so once, and returns the current item; one without it checks the next
  /// occurrence. As for an addition, the list must have room for the done item. A moved item may be a duplicate.
  ///
  /// - Throws: `itemNotFound`, `revisionMismatch`; for an item that repeats, `listFull`, and `invalidItem` if the service no
  ///   longer knows the time zone.
  func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem

  /// Marks an item as incomplete. Returns an item that is already incomplete unchanged.
  ///
  /// The done item of an occurrence is deleted, if neither it nor the item that repeats has changed since the check. The item
  /// that repeats returns to its state before the check, and is the result.
  ///
  /// - Parameter allowingDuplicate: whether the list may contain an incomplete item with the same content.
  /// - Throws: `itemNotFound`, `duplicateItem`, `revisionMismatch`.
  func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem

  /// Deletes an item. The item can be restored for the time that the service is configured with, 30 days by default.
  ///
  /// - Parameter permanentlyIfFull: whether to delete the item for good if the disk or the quota is full, and to remove
  ///   deleted items for good to make room.
  /// - Throws: `itemNotFound`, `revisionMismatch`, `deletionMustBePermanent`.
  func deleteItem(_ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool) async throws -> DeletionResult

  /// Restores a deleted item, with its number, content and state.
  ///
  /// - Parameters:
  ///   - ifRevision: the deletion's revision, or `nil` for any.
  ///   - allowingDuplicate: as in `uncheckItem`, for an incomplete item.
  /// - Throws: `itemNotFound` if there never was such an item or it can no longer be restored, `itemNotDeleted`,
  ///   `duplicateItem`, `revisionMismatch`, `listFull`.
  func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem

  /// Deletes all items or all done items, or removes all deleted items for good, in one operation.
  ///
  /// - Parameter permanentlyIfFull: as in `deleteItem`.
  /// - Throws: `deletionMustBePermanent`.
  func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult

  /// Renames a tag, with the tags below it, on all items, done ones too, in one revision. Deleted items keep their tags. An item
  /// keeps one of two equal tags. A renaming that is repeated changes nothing.
  ///
  /// - Throws: `invalidRequest` if a tag is invalid, if an item would still have the former tag or get one that is too long, or
  ///   if the renaming would exceed `TagRenaming.Limits`.
  func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult

  /// Returns one page of the incomplete items that have a coordinate, ordered by their distance from a place.
  ///
  /// - Throws: `invalidRequest`, `invalidPageToken`.
  func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage

  /// Geocodes an address. Stores nothing.
  ///
  /// - Throws: `invalidRequest`; `geocoderUnavailable`, also if the service has no geocoder.
  func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult

  /// Returns one page of changes, for callers that cannot watch.
  ///
  /// - Throws: `invalidRequest`, `invalidPageToken`, `revisionCompacted`, `revisionInFuture`.
  func changes(_ query: ChangeQuery) async throws -> ChangePage

  /// Watches the list. The watch emits each change exactly once, as it happens.
  ///
  /// The iteration throws the errors.
  ///
  /// - Parameters:
  ///   - state: a filter: only items in this state, and changes of items that have it before or after the change.
  ///   - filter: a further filter: only items that pass it. A change of an item that does not pass it afterward is an
  ///     `ItemDeletion` with `isFilteredOut`, unless the item was new to the list.
  /// - Throws: `invalidRequest` for a negative revision or an invalid filter, `revisionCompacted`, `revisionInFuture`,
  ///   `watchTooSlow`.
  func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents

  /// Returns one page of the history, the latest revision first.
  ///
  /// - Throws: `invalidRequest`.
  func history(_ query: HistoryQuery) async throws -> HistoryPage

  /// Reverts the changes of one revision, as a new revision, or as several if there are more than 64 changes.
  ///
  /// Each item that the revision changed returns to its state before it. An added or restored item is deleted, and a
  /// deleted item restored. An item that has changed since is refused, unless it has the state after the revision again.
  /// So is one whose former state is no longer retained or would duplicate an incomplete item. A coordinate that a
  /// geocoder found is not a change in this sense.
  ///
  /// - Throws: `invalidRequest`, `revisionCompacted`, `revisionInFuture`, `listFull`.
  func revertRevision(_ revision: Revision) async throws -> Reversal

  /// Returns a description of the service.
  func info() async throws -> ServiceInfo
}

extension ToDoService {
  /// Watches the items of a list in a state.
  public func watch(from start: WatchStart, state: ItemState) -> WatchEvents {
    watch(from: start, state: state, filter: ItemFilter())
  }

  /// Adds an item, unless it is a duplicate or has an address without a coordinate.
  public func addItem(_ item: NewItem) async throws -> ToDoItem { try await addItem(item, options: SaveOptions()) }

  /// Adds items, unless one is a duplicate or has an address without a coordinate.
  public func addItems(_ items: [NewItem]) async throws -> [ToDoItem] {
    try await addItems(items, options: SaveOptions())
  }

  /// Edits an item, unless it would become a duplicate or get an address without a coordinate.
  public func updateItem(_ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?) async throws -> ToDoItem {
    try await updateItem(id, edit, ifRevision: ifRevision, options: SaveOptions())
  }

  /// Deletes an item that can be restored, and returns the deletion's revision.
  public func deleteItem(_ id: ItemID, ifRevision: Revision?) async throws -> Revision {
    try await deleteItem(id, ifRevision: ifRevision, permanentlyIfFull: false).revision
  }

  /// Deletes items that can be restored, or removes all deleted items for good.
  public func deleteItems(_ selection: BulkDeletion) async throws -> BulkDeletionResult {
    try await deleteItems(selection, permanentlyIfFull: false)
  }

  /// Marks an item as incomplete, unless it would duplicate an incomplete item.
  public func uncheckItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    try await uncheckItem(id, ifRevision: ifRevision, allowingDuplicate: false)
  }
}

// MARK: - Former names

extension ToDoService {
  /// Adds an item.
  @available(*, deprecated, message: "use addItem(_:options:)")
  public func addItem(
    _ item: NewItem, allowingDuplicate: Bool, savingWithoutCoordinate: Bool = false
  ) async throws -> ToDoItem {
    try await addItem(
      item,
      options: SaveOptions(allowsDuplicate: allowingDuplicate, savesWithoutCoordinate: savingWithoutCoordinate))
  }

  /// Adds items.
  @available(*, deprecated, message: "use addItems(_:options:)")
  public func addItems(
    _ items: [NewItem], allowingDuplicates: Bool, savingWithoutCoordinates: Bool = false
  ) async throws -> [ToDoItem] {
    try await addItems(
      items,
      options: SaveOptions(allowsDuplicate: allowingDuplicates, savesWithoutCoordinate: savingWithoutCoordinates))
  }

  /// Edits an item.
  @available(*, deprecated, message: "use updateItem(_:_:ifRevision:options:)")
  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, allowingDuplicate: Bool = false,
    savingWithoutCoordinate: Bool
  ) async throws -> ToDoItem {
    try await updateItem(
      id, edit, ifRevision: ifRevision,
      options: SaveOptions(allowsDuplicate: allowingDuplicate, savesWithoutCoordinate: savingWithoutCoordinate))
  }

  /// Restores a deleted item.
  @available(*, deprecated, message: "use undeleteItem(_:ifRevision:allowingDuplicate:)")
  public func undeleteItem(_ id: ItemID, allowingDuplicate: Bool, ifRevision: Revision?) async throws -> ToDoItem {
    try await undeleteItem(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
  }
}

/// The result of deleting one item.
public struct DeletionResult: Equatable, Sendable {
  /// The deletion's revision.
  public var revision: Revision
  /// Whether the item was deleted for good, because the disk or the quota is full.
  public var isPermanent: Bool
  /// The number of items deleted before that were removed for good to make room.
  public var removedCount: Int

  /// Creates a result.
  public init(revision: Revision, isPermanent: Bool = false, removedCount: Int = 0) {
    self.revision = revision
    self.isPermanent = isPermanent
    self.removedCount = removedCount
  }
}

/// The result of a bulk deletion.
public struct BulkDeletionResult: Equatable, Sendable {
  /// The number of deleted items.
  public var deletedCount: Int
  /// The list's revision after the deletion, which is unchanged if nothing was deleted.
  public var revision: Revision
  /// Whether the items were deleted for good, because the disk or the quota is full.
  public var isPermanent: Bool
  /// The number of items deleted before that were removed for good to make room.
  public var removedCount: Int

  /// Creates a result.
  public init(deletedCount: Int, revision: Revision, isPermanent: Bool = false, removedCount: Int = 0) {
    self.deletedCount = deletedCount
    self.revision = revision
    self.isPermanent = isPermanent
    self.removedCount = removedCount
  }
}
