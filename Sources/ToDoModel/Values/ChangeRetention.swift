/// For how long a store keeps changes that are over, so that a watch can resume.
///
/// A change is kept while it is younger than `age` or among the last `count` revisions, whichever holds longer; what
/// is kept beyond that depends on the store. `ToDoError.revisionCompacted` tells who asks for earlier ones.
public struct ChangeRetention: Equatable, Sendable {
  public var age: Duration
  /// In revisions of one owner.
  public var count: Int

  public init(age: Duration = .seconds(7 * 24 * 3600), count: Int = 1_000) {
    self.age = age
    self.count = count
  }
}

extension ChangeRetention {
  /// Whether a change need not be kept any longer.
  package func allowsForgetting(_ change: ItemChange, at now: Timestamp, current: Revision) -> Bool {
    allowsForgetting(changeAt: change.time, revision: change.revision, now: now, current: current)
  }

  package func allowsForgetting(
    changeAt time: Timestamp, revision: Revision, now: Timestamp, current: Revision
  ) -> Bool {
    current.number - revision.number >= Int64(count) && .microseconds(now.microseconds - time.microseconds) >= age
  }
}
