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
