package import ToDoModel
package import ToDoSupport

/// A list in the same process as its server, with everything that the server uses besides its operations.
package protocol ServedList: ToDoService {
  /// Looks up an item, without suspending if it is cached.
  ///
  /// - Throws: `ToDoError.itemNotFound`; the pending work throws the same errors as `ToDoService.item(_:)`.
  func lookUpItem(_ id: ItemID) throws -> Lookup<ToDoItem>

  /// The list's current revision, or `nil` if it is not cached. While the revision stays the same, so does every page.
  var cachedRevision: Revision? { get }

  /// Verifies that the list's next write would be admitted, so that a large request is not decoded needlessly.
  ///
  /// - Throws: `ToDoError.writeRateExceeded`.
  func checkWriteRate() throws

  /// Returns the same list, with changes that are recorded as those of a user and a client.
  ///
  /// - Parameter right: the right to make the changes; `nil` if nothing can end it.
  func attributed(to origin: ChangeOrigin, under right: WriteRight?) -> Self
}

extension ServedList {
  /// Returns the same list, with changes that are recorded as those of a user and a client, and that nothing can end.
  package func attributed(to origin: ChangeOrigin) -> Self { attributed(to: origin, under: nil) }
}
