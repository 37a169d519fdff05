public import ToDoModel

/// The records that a write's body reads, as far as its caller can tell in advance.
///
/// A store on another machine reads them for many writes at once. A body may read more, at the price of a further round trip.
public struct ItemReads: Sendable {
  /// The IDs whose records the body reads.
  public var ids: [ItemID]
  /// The fingerprints for which the body finds incomplete items.
  public var fingerprints: [ContentFingerprint]
  /// Whether the body may change so many items that the writes of other lists should not wait for it.
  public var isLong: Bool

  /// Creates a set of reads.
  public init(ids: [ItemID] = [], fingerprints: [ContentFingerprint] = [], isLong: Bool = false) {
    self.ids = ids
    self.fingerprints = fingerprints
    self.isLong = isLong
  }
}
