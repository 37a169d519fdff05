package import ToDoModel
package import ToDoSupport

/// The reads of a list that a server can answer without suspending, in addition to what every `ToDoService` offers.
package protocol CachedReads: Sendable {
  /// Looks an item up.
  ///
  /// - Throws: `ToDoError.itemNotFound`; the pending work throws the same errors as `ToDoService.item(_:)`.
  func lookUpItem(_ id: ItemID) throws -> Lookup<ToDoItem>

  /// The list's current revision, or `nil` if it is not cached. While the revision stays the same, so does every page.
  var cachedRevision: Revision? { get }
}
