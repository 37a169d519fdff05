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
  mutating func append(_ changes: [ItemChange]) {
    let set = ChangeSet(revision: revision.next, changes: changes.sorted { $0.id < $1.id })
    sets.append(set)
    // Seldom and many at a time, since removing moves what stays.
    if set.revision.number % 64 == 0 { forget(at: set.changes[0].time) }
  }

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
  private mutating func forget(at now: Timestamp) {
    let current = revision
    let end = sets.firstIndex { !retention.allowsForgetting($0.changes[0], at: now, current: current) } ?? sets.count
    guard end > 0 else { return }
    oldest = sets[end - 1].revision
    sets.removeFirst(end)
  }
}
