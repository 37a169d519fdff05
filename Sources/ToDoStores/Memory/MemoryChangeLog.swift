import ToDoModel
import ToDoRules

/// The changes of one owner's items, one change set for each revision.
struct MemoryChangeLog: Sendable {
  /// The revision of the last compacted change set. Changes after it can be listed.
  private var oldest = Revision.initial
  /// The change sets after `oldest`, without gaps.
  private var sets: [ChangeSet] = []
  private let retention: ChangeRetention

  init(_ retention: ChangeRetention) {
    self.retention = retention
  }

  var revision: Revision { sets.last?.revision ?? oldest }

  /// Appends the changes of one write.
  ///
  /// - Parameter changes: at least one change, each of a different item, all with the revision after the current one.
  /// - Returns: the changes that were compacted.
  mutating func append(_ changes: [ItemChange]) -> [ItemChange] {
    let set = ChangeSet(revision: revision.next, changes: changes.sorted { $0.id < $1.id })
    sets.append(set)
    // Compacts only at every 64th revision, because removing moves the remaining change sets.
    return set.revision.number % 64 == 0 ? compact(at: set.changes[0].time) : []
  }

  /// Returns whether the change set of a revision is retained.
  func holds(_ revision: Revision) -> Bool { revision > oldest }

  /// Compacts all changes and returns them.
  mutating func compactAll() -> [ItemChange] { compact(sets.count) }

  /// Returns the change sets after a revision.
  ///
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

  /// Compacts the oldest change sets, up to the first one that must be retained.
  private mutating func compact(at now: Timestamp) -> [ItemChange] {
    let current = revision
    let end = sets.firstIndex { set in
      let change = set.changes[0]
      return !retention.allowsCompaction(
        changeAt: change.time, revision: change.revision, now: now, current: current,
        timeOf: { revision in sets.dropFirst(Int(revision.number - oldest.number) - 1).first?.changes[0].time })
    }
    return compact(end ?? sets.count)
  }

  private mutating func compact(_ count: Int) -> [ItemChange] {
    guard count > 0 else { return [] }
    let changes = sets.prefix(count).flatMap(\.changes)
    oldest = sets[count - 1].revision
    sets.removeFirst(count)
    return changes
  }
}
