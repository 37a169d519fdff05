import ToDoModel
import ToDoRules

/// The changes of one owner's items, one entry for each revision.
struct MemoryChangeLog: Sendable {
  /// The changes of one revision.
  struct Entry: Sendable {
    let set: ChangeSet
    let origin: ChangeOrigin
    /// The states before the changes, of which the log counts the size.
    let former: [ItemID: ToDoItem]
    /// The titles and numbers of the deleted items.
    let deleted: [ItemID: ToDoItem]
  }

  /// The revision of the last compacted entry. Changes after it can be listed.
  private var oldest = Revision.initial
  /// The entries after `oldest`, without gaps.
  private var entries: [Entry] = []
  private let retention: ChangeRetention

  init(_ retention: ChangeRetention) {
    self.retention = retention
  }

  var revision: Revision { entries.last?.set.revision ?? oldest }

  /// Appends the changes of one write.
  ///
  /// - Returns: the entries that were compacted.
  mutating func append(_ entry: Entry) -> [Entry] {
    entries.append(entry)
    // Compacts only at every 64th revision, because removing moves the remaining entries.
    return entry.set.revision.number % 64 == 0 ? compact(at: entry.set.changes[0].time) : []
  }

  /// Returns whether the entry of a revision is retained.
  func holds(_ revision: Revision) -> Bool { revision > oldest }

  /// Compacts all changes and returns their entries.
  mutating func compactAll() -> [Entry] { compact(entries.count) }

  /// Returns the change sets after a revision.
  ///
  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  func listing(_ selection: ChangeSelection) throws -> ChangeListing {
    try selection.check(oldest: oldest, current: revision)
    var listing = ChangeListing(sets: [], revision: revision)
    var (count, size) = (0, 0)
    for entry in entries.dropFirst(Int(selection.after.number - oldest.number)) {
      guard selection.allowsRevision(afterChanges: count, size: size) else { break }
      listing.sets.append(entry.set)
      count += entry.set.changes.count
      size += entry.set.changes.reduce(0) { $0 + $1.textSize }
    }
    return listing
  }

  /// Returns the entry of a revision.
  ///
  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  func entry(of revision: Revision) throws -> Entry {
    guard revision <= self.revision else { throw ToDoError.revisionInFuture(current: self.revision) }
    guard revision > oldest else { throw ToDoError.revisionCompacted(oldest: oldest) }
    return entries[Int(revision.number - oldest.number) - 1]
  }

  /// Lists recorded revisions, the latest first.
  func history(_ selection: HistorySelection) -> HistoryListing {
    var listing = HistoryListing(revisions: [], hasMore: false)
    var count = 0
    for entry in entries.reversed() {
      if let before = selection.before, entry.set.revision >= before { continue }
      let changes = entry.set.changes.filter { selection.item == nil || selection.item == $0.id }
      guard let first = changes.first else { continue }
      listing.hasMore = count >= selection.limit
      guard !listing.hasMore else { break }
      listing.revisions.append(
        RevisionRecord(
          revision: entry.set.revision, time: first.time, origin: entry.origin, isOwn: false,
          changes: changes.prefix(HistoryQuery.Limits.changes).map(entry.recorded), changeCount: changes.count))
      count += changes.count
    }
    return listing
  }

  /// Compacts the oldest entries, up to the first one that must be retained.
  private mutating func compact(at now: Timestamp) -> [Entry] {
    let current = revision
    let end = entries.firstIndex { entry in
      let change = entry.set.changes[0]
      return !retention.allowsCompaction(
        changeAt: change.time, revision: change.revision, now: now, current: current,
        timeOf: { revision in
          entries.dropFirst(Int(revision.number - oldest.number) - 1).first?.set.changes[0].time
        })
    }
    return compact(end ?? entries.count)
  }

  private mutating func compact(_ count: Int) -> [Entry] {
    guard count > 0 else { return [] }
    let compacted = Array(entries.prefix(count))
    oldest = entries[count - 1].set.revision
    entries.removeFirst(count)
    return compacted
  }
}

extension MemoryChangeLog.Entry {
  fileprivate func recorded(_ change: ItemChange) -> RecordedChange {
    switch change {
    case .put(let item, let cause):
      var recorded = RecordedChange(item: item.id, number: item.number, title: item.title, kind: .put(cause))
      if recorded.hasFormerState, let former = former[item.id] {
        recorded.fields = FieldChange.differences(from: former, to: item)
      }
      return recorded
    case .deleted(let deletion):
      let item = deleted[deletion.id]
      return RecordedChange(item: deletion.id, number: item?.number, title: item?.title, kind: .deleted)
    }
  }
}
