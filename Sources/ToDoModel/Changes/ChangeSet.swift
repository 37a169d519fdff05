/// The changes of one revision, or the subset that passes a filter. A client applies all of them or none.
public struct ChangeSet: Equatable, Sendable {
  /// The revision that all the changes belong to.
  public var revision: Revision
  /// At least one change, in the order of the item IDs. All changes have `revision`, and each concerns another item.
  public var changes: [ItemChange]
  /// The user who made the changes; empty if no user is known.
  public var user: String

  /// Creates a change set.
  public init(revision: Revision, changes: [ItemChange], user: String = "") {
    self.revision = revision
    self.changes = changes
    self.user = user
  }
}

extension ChangeSet {
  /// Returns the changes that concern a state, or `nil` if no change does.
  package func concerning(_ state: ItemState) -> ChangeSet? {
    guard state != .all else { return self }
    let concerned = changes.filter { $0.concerns(state) }
    return concerned.isEmpty ? nil : ChangeSet(revision: revision, changes: concerned, user: user)
  }
}
