import ToDoModel

/// The latest changes of one watched owner, cached in memory: every change set after `floor`, up to `head`.
struct FeedTail {
  /// The result of reading after a revision.
  enum Read: Equatable {
    case next(ChangeSet)
    case upToDate
    /// The tail no longer contains the change set after that revision.
    case behind
  }

  private(set) var floor: Revision
  private(set) var entries: [ReversibleChanges] = []
  /// The approximate number of bytes that the entries take in memory.
  private(set) var size = 0
  private var changeCount = 0
  private let limit: Int

  /// - Parameters:
  ///   - floor: the revision that precedes the tail.
  ///   - limit: the number of changes to retain. The tail contains at most twice as many, and always the latest set.
  init(after floor: Revision, limit: Int) {
    self.floor = floor
    self.limit = limit
  }

  /// The latest revision in the tail.
  var head: Revision { entries.last?.set.revision ?? floor }

  func read(after revision: Revision) -> Read {
    guard revision >= floor else { return .behind }
    guard revision < head else { return .upToDate }
    return .next(entries[index(after: revision)].set)
  }

  /// Returns the entries after a revision up to another, or `nil` if the tail no longer contains some of them.
  func entries(after revision: Revision, through last: Revision) -> ArraySlice<ReversibleChanges>? {
    guard revision >= floor else { return nil }
    return entries[index(after: revision)..<index(after: last)]
  }

  /// Appends the change sets that follow `head`, and drops the earliest sets if the tail is too large. Skips sets that
  /// the tail already contains.
  ///
  /// - Parameter sizeLimit: the maximum size in bytes, except that the latest set is always retained.
  /// - Returns: `false`, without appending anything, if revisions between `head` and the first new set are missing.
  @discardableResult
  mutating func append(_ new: [ReversibleChanges], sizeLimit: Int = .max) -> Bool {
    let following = new.drop { $0.set.revision <= head }
    guard let first = following.first else { return true }
    guard first.set.revision == head.next else { return false }
    entries += following
    changeCount += following.reduce(0) { $0 + $1.set.changes.count }
    size += following.reduce(0) { $0 + $1.size }
    // Sets are dropped rarely and many in one operation, because a removal moves the remaining sets.
    if changeCount > 2 * limit || size > sizeLimit { drop(toSize: sizeLimit / 2) }
    return true
  }

  private mutating func drop(toSize sizeLimit: Int) {
    var dropped = 0
    while changeCount > limit || size > sizeLimit, dropped < entries.count - 1 {
      changeCount -= entries[dropped].set.changes.count
      size -= entries[dropped].size
      dropped += 1
    }
    guard dropped > 0 else { return }
    floor = entries[dropped - 1].set.revision
    entries.removeFirst(dropped)
  }

  /// Returns the index of the first set with a later revision.
  private func index(after revision: Revision) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].set.revision > revision { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
