import ToDoModel

/// The latest changes of one owner, kept in memory while somebody watches: every change set after `floor`, up to `head`.
struct FeedTail {
  /// What a reader that has everything up to a revision finds.
  enum Read: Equatable {
    case next(ChangeSet)
    case upToDate
    /// The change set after that revision is no longer here.
    case behind
  }

  private(set) var floor: Revision
  private(set) var entries: [ReversibleChanges] = []
  /// The approximate number of bytes that the entries take in memory.
  private(set) var size = 0
  private var changeCount = 0
  private let limit: Int

  /// - Parameters:
  ///   - floor: the revision that the tail begins after.
  ///   - limit: how many changes to keep; between one and two times as many are kept, and always the latest set.
  init(after floor: Revision, limit: Int) {
    self.floor = floor
    self.limit = limit
  }

  /// The latest revision that is known.
  var head: Revision { entries.last?.set.revision ?? floor }

  func read(after revision: Revision) -> Read {
    guard revision >= floor else { return .behind }
    guard revision < head else { return .upToDate }
    return .next(entries[index(after: revision)].set)
  }

  /// The entries after a revision up to another; `nil` if some of them are no longer here.
  func entries(after revision: Revision, through last: Revision) -> ArraySlice<ReversibleChanges>? {
    guard revision >= floor else { return nil }
    return entries[index(after: revision)..<index(after: last)]
  }

  /// Appends the change sets that follow `head`, and drops the earliest ones if there are too many. Sets that are here
  /// already are skipped.
  ///
  /// - Parameter sizeLimit: the number of bytes to keep at most, except that the latest set always stays.
  /// - Returns: false, appending nothing, if revisions between `head` and the first new set are missing.
  @discardableResult
  mutating func append(_ new: [ReversibleChanges], sizeLimit: Int = .max) -> Bool {
    let following = new.drop { $0.set.revision <= head }
    guard let first = following.first else { return true }
    guard first.set.revision == head.next else { return false }
    entries += following
    changeCount += following.reduce(0) { $0 + $1.set.changes.count }
    size += following.reduce(0) { $0 + $1.size }
    // Seldom and many at a time, since removing moves what stays.
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

  /// The index of the first set whose revision is later.
  private func index(after revision: Revision) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].set.revision > revision { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
