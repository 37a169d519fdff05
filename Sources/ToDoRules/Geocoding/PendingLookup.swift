public import ToDoModel

/// A coordinate that is still to be found: an item was saved without it since the geocoder did not answer.
public struct PendingLookup: Equatable, Sendable {
  public var owner: OwnerID
  public var item: ItemID
  /// What to look up; the item may have another address by now.
  public var address: String
  /// How often the geocoder was asked in vain.
  public var attempts: Int
  /// When to ask it next.
  public var due: Timestamp

  public init(owner: OwnerID, item: ItemID, address: String, attempts: Int, due: Timestamp) {
    self.owner = owner
    self.item = item
    self.address = address
    self.attempts = attempts
    self.due = due
  }
}
