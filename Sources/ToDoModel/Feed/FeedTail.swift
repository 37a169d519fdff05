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
  private(set) var sets: [ChangeSet] = []
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
  var head: Revision { sets.last?.revision ?? floor }

  func read(after revision: Revision) -> Read {
    guard revision >= floor else { return .behind }
    guard revision < head else { return .upToDate }
    return .next(sets[index(after: revision)])
  }

  /// Takes the change sets that follow `head`, and lets the earliest go when there are too many.
  mutating func append(_ new: [ChangeSet]) {
    sets += new
    changeCount += new.reduce(0) { $0 + $1.changes.count }
    // Seldom and many at a time, since removing moves what stays.
    guard changeCount > 2 * limit else { return }
    var dropped = 0
    while changeCount > limit, dropped < sets.count - 1 {
      changeCount -= sets[dropped].changes.count
      dropped += 1
    }
    guard dropped > 0 else { return }
    floor = sets[dropped - 1].revision
    sets.removeFirst(dropped)
  }

  /// The index of the first set whose revision is later.
  private func index(after revision: Revision) -> Int {
    var (low, high) = (0, sets.count)
    while low < high {
      let middle = (low + high) / 2
      if sets[middle].revision > revision { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
