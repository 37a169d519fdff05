import ToDoModel
import ToDoRules

/// The changes of one owner's items, one entry for each revision.
struct MemoryChangeLog: Sendable {
  /// The changes of one revision.
  struct Entry: Sendable {
    let set: ChangeSet
    /// The changes in the order of `set`.
    let changes: [PendingChange]

    /// The size by `StoredSize`.
    var byteCount: Int { changes.reduce(0) { $0 + $1.size } }
  }

  /// The revision of the last compacted entry. Changes after it can be listed.
  private(set) var floor = Revision.initial
  /// The entries after `floor`, without gaps.
  private var entries: [Entry] = []
  private let retention: ChangeRetention

  init(_ retention: ChangeRetention) {
    self.retention = retention
  }

  private var revision: Revision { entries.last?.set.revision ?? floor }

  /// The size of all entries, by `StoredSize`.
  var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

  /// Appends the changes of one write.
  mutating func append(_ changes: [PendingChange], at revision: Revision) {
    let changes = changes.sorted { $0.change.id < $1.change.id }
    let set = ChangeSet(
      revision: revision, changes: changes.map(\.change), user: changes.first?.origin.user ?? "")
    entries.append(Entry(set: set, changes: changes))
  }

  // MARK: Compaction

  /// Compacts the oldest entries, up to the first one that must be retained.
  ///
  /// - Returns: the size of the compacted entries.
  mutating func compact(at now: Timestamp) -> Int {
    let current = revision
    let end = entries.firstIndex { entry in
      let change = entry.set.changes[0]
      return !retention.allowsCompaction(
        changeAt: change.time, revision: change.revision, now: now, current: current,
        timeOf: { revision in
          entries.dropFirst(Int(revision.number - floor.number) - 1).first?.set.changes[0].time
        })
    }
    return compact(end ?? entries.count)
  }

  /// Compacts all entries.
  mutating func removeAll() { _ = compact(entries.count) }

  private mutating func compact(_ count: Int) -> Int {
    guard count > 0 else { return 0 }
    let size = entries.prefix(count).reduce(0) { $0 + $1.byteCount }
    floor = entries[count - 1].set.revision
    entries.removeFirst(count)
    return size
  }

  // MARK: Reads

  /// Returns the change sets after a revision.
  ///
  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  func listing(_ selection: ChangeSelection) throws -> ChangeListing {
    try selection.check(oldest: floor, current: revision)
    var listing = ChangeListing(sets: [], revision: revision)
    var (count, size) = (0, 0)
    for entry in entries.dropFirst(Int(selection.after.number - floor.number)) {
      guard selection.allowsRevision(afterChanges: count, size: size) else { break }
      listing.sets.append(entry.set)
      count += entry.set.changes.count
      size += entry.set.changes.reduce(0) { $0 + $1.textSize }
    }
    return listing
  }

  /// Returns the entry of a revision after `floor`.
  func entry(of revision: Revision) -> Entry { entries[Int(revision.number - floor.number) - 1] }

  /// Lists recorded revisions, the latest first.
  func history(_ selection: HistorySelection) -> HistoryListing {
    var listing = HistoryListing(revisions: [], hasMore: false)
    var count = 0
    for entry in entries.reversed() {
      if let before = selection.before, entry.set.revision >= before { continue }
      let changes = entry.changes.filter { selection.item == nil || selection.item == $0.change.id }
      guard let first = changes.first else { continue }
      listing.hasMore = count >= selection.limit
      guard !listing.hasMore else { break }
      listing.revisions.append(
        RevisionRecord(
          revision: entry.set.revision, time: first.change.time, origin: first.origin, isOwn: false,
          changes: changes.prefix(HistoryQuery.Limits.changes).map(\.recorded), changeCount: changes.count))
      count += changes.count
    }
    return listing
  }
}

extension PendingChange {
  fileprivate var recorded: RecordedChange {
    switch change {
    case .put(let item, let cause):
      var recorded = RecordedChange(item: item.id, number: item.number, title: item.title, kind: .put(cause))
      if recorded.hasFormerState, let former {
        recorded.fields = FieldChange.differences(from: former, to: item)
      }
      return recorded
    case .deleted(let deletion):
      return RecordedChange(item: deletion.id, number: former?.number, title: former?.title, kind: .deleted)
    }
  }
}
