public import ToDoModel

/// The part of a store that remembers which coordinates are still to be found.
///
/// Remembered is at most one for each item, set in the transaction that saves the item; what becomes of the item
/// afterwards does not matter to it.
public protocol PendingLookupStore: Sendable {
  /// Takes lookups of all owners that are due, the longest due first, and puts their due off until `lease`: until then
  /// nobody else takes them, in whichever process.
  ///
  /// - Returns: the lookups as they were, but for their due.
  func claimPendingLookups(dueBy now: Timestamp, until lease: Timestamp, limit: Int) async throws -> [PendingLookup]
}

/// What a transaction does about coordinates that are still to be found.
public protocol PendingLookupTransaction {
  /// The lookup of an item, if one is remembered.
  func pendingLookup(of id: ItemID) throws -> PendingLookup?

  /// Remembers a lookup of an item of this owner, instead of what was remembered; `nil` forgets it. It is no change of
  /// the item.
  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) throws
}
