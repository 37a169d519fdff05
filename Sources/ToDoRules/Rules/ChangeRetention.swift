package import ToDoModel

/// The time for which a store retains changes, so that a watch can resume.
///
/// A change is retained while it is younger than `age` or among the last `count` revisions, whichever is longer. A
/// store may retain changes for longer. A request for compacted changes fails with `ToDoError.revisionCompacted`.
public struct ChangeRetention: Equatable, Sendable {
  /// The minimum age of a change before it can be compacted.
  public var age: Duration
  /// The minimum number of an owner's retained revisions.
  public var count: Int
  /// The time for which the ID of a deleted item stays reserved. Later, an item can be added with that ID again.
  public var deletedIDAge: Duration

  /// Creates a retention policy.
  public init(
    age: Duration = .seconds(7 * 24 * 3600), count: Int = 1_000, deletedIDAge: Duration = .seconds(90 * 24 * 3600)
  ) {
    self.age = age
    self.count = count
    self.deletedIDAge = deletedIDAge
  }
}

extension ChangeRetention {
  /// Whether a change may be compacted.
  ///
  /// The age of a change whose time is later than `now` is unknown, because the clock has jumped back since. Such a
  /// change is at least as old as every later one, so the latest change that `count` permits to compact decides.
  ///
  /// - Parameter timeOf: returns the time of a retained revision's changes.
  package func allowsCompaction(
    changeAt time: Timestamp, revision: Revision, now: Timestamp, current: Revision,
    timeOf: (Revision) throws -> Timestamp?
  ) rethrows -> Bool {
    guard time > now else { return allowsCompaction(changeAt: time, revision: revision, now: now, current: current) }
    let latest = Revision(current.number - Int64(count))
    guard latest >= revision, let time = try timeOf(latest), time <= now else { return false }
    return allowsCompaction(changeAt: time, revision: latest, now: now, current: current)
  }

  /// Whether the ID of an item that was deleted at a given time can be reused.
  package func allowsReuse(ofIDDeletedAt time: Timestamp, now: Timestamp) -> Bool {
    now.duration(since: time) >= deletedIDAge
  }

  private func allowsCompaction(
    changeAt time: Timestamp, revision: Revision, now: Timestamp, current: Revision
  ) -> Bool {
    revision.number <= current.number - Int64(count) && now.duration(since: time) >= age
  }
}

extension Timestamp {
  /// Returns the time since an instant, which may be a stored number outside `supportedRange`.
  fileprivate func duration(since start: Timestamp) -> Duration {
    .microseconds(microseconds) - .microseconds(start.microseconds)
  }
}
