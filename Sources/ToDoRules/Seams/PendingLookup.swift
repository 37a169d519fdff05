public import ToDoModel

/// A pending retry of a lookup: the item was saved without a coordinate because the geocoder failed.
public struct PendingLookup: Equatable, Sendable {
  /// The item's owner.
  public var owner: OwnerID
  /// The item's ID.
  public var item: ItemID
  /// The address to look up. The item's address may have changed since.
  public var address: String
  /// The number of failed attempts.
  public var attempts: Int
  /// The time of the next attempt.
  public var due: Timestamp

  /// Creates a pending lookup.
  public init(owner: OwnerID, item: ItemID, address: String, attempts: Int, due: Timestamp) {
    self.owner = owner
    self.item = item
    self.address = address
    self.attempts = attempts
    self.due = due
  }
}
