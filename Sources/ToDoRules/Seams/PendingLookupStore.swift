public import ToDoModel

/// The part of a store that contains pending address lookups.
///
/// An item has at most one pending lookup, set in the transaction that saves the item. Later changes of the item do not
/// affect it.
public protocol PendingLookupStore: Sendable {
  /// Claims due lookups of all owners, the longest due first, by postponing them until `lease`. Until then no other
  /// call in any process claims them.
  ///
  /// - Returns: the claimed lookups, with `lease` as their due time.
  func claimPendingLookups(dueBy now: Timestamp, until lease: Timestamp, limit: Int) async throws -> [PendingLookup]
}

/// The part of a transaction that reads and writes pending lookups.
public protocol PendingLookupTransaction {
  /// Returns an item's pending lookup, or `nil`.
  func pendingLookup(of id: ItemID) throws -> PendingLookup?

  /// Replaces the pending lookup for one of the owner's items; `nil` removes it. This does not change the item.
  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) throws
}
