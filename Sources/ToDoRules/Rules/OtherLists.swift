import ToDoModel

/// Finds the other lists of the user to whom a list belongs.
protocol OtherLists: Sendable {
  /// Returns the items in a list.
  ///
  /// - Parameter defaultList: the user's default list.
  /// - Throws: `ToDoError.listNotFound`, `ToDoError.storeUnavailable`.
  func items(in list: ListID, of defaultList: LocalToDoService) async throws -> LocalToDoService
}
