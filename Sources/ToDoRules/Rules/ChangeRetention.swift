package import ToDoModel

/// For how long a store keeps changes that are over, so that a watch can resume.
///
/// A change is kept while it is younger than `age` or among the last `count` revisions, whichever holds longer; what
/// is kept beyond that depends on the store. `ToDoError.revisionCompacted` tells who asks for earlier ones.
public struct ChangeRetention: Equatable, Sendable {
  public var age: Duration
  /// In revisions of one owner.
  public var count: Int
  /// How long the ID of a deleted item stays reserved. Later, an item can be added with that ID again.
  public var deletedIDAge: Duration

  public init(
    age: Duration = .seconds(7 * 24 * 3600), count: Int = 1_000, deletedIDAge: Duration = .seconds(90 * 24 * 3600)
  ) {
    self.age = age
    self.count = count
    self.deletedIDAge = deletedIDAge
  }
}

extension ChangeRetention {
  /// Whether a change need not be kept any longer.
  ///
  /// The age of a change whose time is later than `now` is unknown: the clock has jumped back since. Such a change is at
  /// least as old as every later one, so the latest change that `count` allows to forget decides.
  ///
  /// - Parameter timeOf: returns the time of a retained revision's changes.
  package func allowsForgetting(
    changeAt time: Timestamp, revision: Revision, now: Timestamp, current: Revision,
    timeOf: (Revision) throws -> Timestamp?
  ) rethrows -> Bool {
    guard time > now else { return allowsForgetting(changeAt: time, revision: revision, now: now, current: current) }
    let latest = Revision(current.number - Int64(count))
    guard latest >= revision, let time = try timeOf(latest), time <= now else { return false }
    return allowsForgetting(changeAt: time, revision: latest, now: now, current: current)
  }

  /// Whether the ID of an item that was deleted at a time can be used again.
  package func allowsReuse(ofIDDeletedAt time: Timestamp, now: Timestamp) -> Bool {
    .microseconds(now.microseconds - time.microseconds) >= deletedIDAge
  }

  private func allowsForgetting(
    changeAt time: Timestamp, revision: Revision, now: Timestamp, current: Revision
  ) -> Bool {
    current.number - revision.number >= Int64(count) && .microseconds(now.microseconds - time.microseconds) >= age
  }
}
