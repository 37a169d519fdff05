/// All changes of one revision, or those of them that a filter leaves: applied together or not at all.
public struct ChangeSet: Equatable, Sendable {
  public var revision: Revision
  /// At least one; all have this revision, and no item is in two of them. In the order of their items' identities.
  public var changes: [ItemChange]

  public init(revision: Revision, changes: [ItemChange]) {
    self.revision = revision
    self.changes = changes
  }
}

extension ChangeSet {
  /// The changes that concern a state; `nil` when there are none.
  package func concerning(_ state: ItemState) -> ChangeSet? {
    guard state != .all else { return self }
    let concerned = changes.filter { $0.concerns(state) }
    return concerned.isEmpty ? nil : ChangeSet(revision: revision, changes: concerned)
  }
}
