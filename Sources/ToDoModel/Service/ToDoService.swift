/// Every operation on one person's list.
///
/// `LocalToDoService` does the work over a store; `ToDoClient` asks a server to do it. Whoever holds a `ToDoService`
/// cannot tell which, but for the errors of the network: all operations throw `ToDoError` when the list refuses,
/// a client throws `RPCError` besides when there is no answer. All can be called concurrently, and are cancelled
/// with their task; a change that had begun may then have been made or not.
///
/// `ServiceContract` in TestSupport is this contract as a test suite; every implementation passes it.
public protocol ToDoService: Sendable {
  /// Adds an item and returns it as stored.
  ///
  /// Adding an identity again with the content it was first added with is a retry: it returns the item as it is now,
  /// edited or checked since.
  ///
  /// - Parameter allowingDuplicate: whether to add it beside an undone item with the same content.
  /// - Throws: `invalidItem`, `duplicateItem`, `itemIDConflict`, `itemIDDeleted`.
  func addItem(_ item: NewItem, allowingDuplicate: Bool) async throws -> ToDoItem

  /// Adds 1 to 500 items, all or none, each by the rules of `addItem`; they share one revision.
  ///
  /// - Throws: `invalidRequest` for no item or too many, and what `addItem` throws, for the first item refused.
  func addItems(_ items: [NewItem], allowingDuplicates: Bool) async throws -> [ToDoItem]

  /// - Throws: `itemNotFound`.
  func item(_ id: ItemID) async throws -> ToDoItem

  /// One page of a listing.
  ///
  /// - Throws: `invalidRequest`, `invalidPageToken`.
  func items(_ query: ItemQuery) async throws -> ItemPage

  /// Changes some fields of an item. An edit that changes nothing leaves the revision as it is.
  ///
  /// - Parameter ifRevision: do it only if this is the item's revision.
  /// - Throws: `invalidItem`, `invalidRequest` for an empty edit, `itemNotFound`, `revisionMismatch`.
  func updateItem(_ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?) async throws -> ToDoItem

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

  /// What the service says about itself.
  func info() async throws -> ServiceInfo
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
