public import ToDoModel

/// Finds the users in whose quotas the items of lists count.
public protocol ListQuotas: Sendable {
  /// Returns the user in whose quota the items of a list count, and what the user's other lists contained at most 10 s ago.
  ///
  /// - Parameter items: the owner of the items.
  /// - Returns: the user's owner ID, and the sum of the other lists' contents; `items` and nothing for a default list, and for
  ///   a list that no longer exists.
  /// - Throws: `ToDoError.storeUnavailable`.
  func quota(of items: OwnerID) async throws -> (user: OwnerID, others: ListUsage)
}
