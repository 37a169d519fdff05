import ToDoModel

/// What the writes on one owner's items changed, each write a revision.
struct MemoryChangeLog: Sendable {
  /// The earliest revision that can be asked after.
  private var oldest = Revision.initial
  /// Every revision after `oldest`, without a gap.
  private var sets: [ChangeSet] = []
  private let retention: ChangeRetention

  init(_ retention: ChangeRetention) {
    self.retention = retention
  }

  var revision: Revision { sets.last?.revision ?? oldest }

  /// - Parameter changes: at least one, each of another item, all of the revision after the present one.
  /// - Returns: what is forgotten for it.
  mutating func append(_ changes: [ItemChange]) -> [ItemChange] {
    let set = ChangeSet(revision: revision.next, changes: changes.sorted { $0.id < $1.id })
    sets.append(set)
    // Seldom and many at a time, since removing moves what stays.
    return set.revision.number % 64 == 0 ? forget(at: set.changes[0].time) : []
  }

  /// Whether a revision can be asked for.
  func holds(_ revision: Revision) -> Bool { revision > oldest }

  /// Forgets every change.
  mutating func forgetAll() -> [ItemChange] { forget(sets.count) }

  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  func listing(_ selection: ChangeSelection) throws -> ChangeListing {
    try selection.check(oldest: oldest, current: revision)
    var listing = ChangeListing(sets: [], revision: revision)
    var (count, size) = (0, 0)
    for set in sets.dropFirst(Int(selection.after.number - oldest.number)) {
      guard selection.allowsRevision(afterChanges: count, size: size) else { break }
      listing.sets.append(set)
      count += set.changes.count
      size += set.changes.reduce(0) { $0 + $1.textSize }
    }
    return listing
  }

  /// Forgets what need not be kept, from the earliest up to the first that must be.
  private mutating func forget(at now: Timestamp) -> [ItemChange] {
    let current = revision
    let end = sets.firstIndex { set in
      let change = set.changes[0]
      return !retention.allowsForgetting(
        changeAt: change.time, revision: change.revision, now: now, current: current,
        timeOf: { revision in sets.dropFirst(Int(revision.number - oldest.number) - 1).first?.changes[0].time })
    }
    return forget(end ?? sets.count)
  }

  private mutating func forget(_ count: Int) -> [ItemChange] {
    guard count > 0 else { return [] }
    let changes = sets.prefix(count).flatMap(\.changes)
    oldest = sets[count - 1].revision
    sets.removeFirst(count)
    return changes
  }
}
