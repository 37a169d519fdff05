/// The result of reverting one revision's changes.
public struct Reversal: Equatable, Sendable {
  /// The list's revision afterwards.
  public var revision: Revision
  /// The number of items that were returned to their former states.
  public var revertedCount: Int
  /// The first items that were refused, by item ID, at most `HistoryQuery.Limits.changes`.
  public var refusals: [Refusal]
  /// The number of items that were refused.
  public var refusedCount: Int

  /// Creates a result.
  public init(revision: Revision, revertedCount: Int = 0, refusals: [Refusal] = [], refusedCount: Int = 0) {
    self.revision = revision
    self.revertedCount = revertedCount
    self.refusals = refusals
    self.refusedCount = refusedCount
  }

  /// An item that was not returned to its former state.
  public struct Refusal: Equatable, Sendable {
    /// The item's ID.
    public var item: ItemID
    /// The item's number; `nil` if the item is no longer known.
    public var number: ItemNumber?
    /// The item's title; `nil` if the item is no longer known.
    public var title: String?
    /// The reason.
    public var reason: Reason

    /// Creates a refusal.
    public init(item: ItemID, number: ItemNumber?, title: String?, reason: Reason) {
      self.item = item
      self.number = number
      self.title = title
      self.reason = reason
    }
  }

  /// The reason why an item was not returned to its former state.
  @nonexhaustive
  public enum Reason: String, CaseIterable, Sendable {
    /// The item has changed since.
    case changedSince
    /// The former state is no longer retained.
    case notRetained
    /// The former state would duplicate an incomplete item.
    case duplicate
    /// A reason that this version does not support.
    case other
  }
}
