/// The other list of a revision that moved items, as the history records it.
///
/// The revision's changes tell the direction: items that left are recorded as deleted, and items that came as added.
public struct ListMove: Hashable, Sendable {
  /// The other list.
  public var list: ListID
  /// The revision at which the other list was changed.
  public var revision: Revision

  /// Creates the half of a move.
  public init(list: ListID, revision: Revision) {
    self.list = list
    self.revision = revision
  }
}
