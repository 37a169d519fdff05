package import ToDoModel
package import ToDoRules

/// The records of a history page, whose changes are read in descending order of revisions and IDs.
package struct HistoryRecords: Sendable {
  private let limit: Int
  private var revisions: [RevisionRecord] = []
  /// The changes of the last record that may be retained, the last one first.
  private var changes: [RecordedChange] = []
  private var count = 0
  /// Whether an earlier revision follows the page.
  private var hasMore = false

  /// - Parameter limit: the number of changes after which no further revision begins.
  package init(limit: Int) {
    self.limit = limit
  }

  /// The page of all changes that were added.
  package var listing: HistoryListing {
    mutating get {
      endRecord()
      return HistoryListing(revisions: revisions, hasMore: hasMore)
    }
  }

  /// Adds a change.
  ///
  /// - Parameters:
  ///   - time: the change's time. A revision's time is that of its first change.
  ///   - origin: returns the origin of the revision.
  /// - Returns: false if the change is of a revision after the page.
  package mutating func add(
    _ change: RecordedChange, of revision: Revision, at time: Timestamp, by origin: () -> ChangeOrigin
  ) -> Bool {
    if revisions.last?.revision != revision {
      endRecord()
      hasMore = count >= limit
      guard !hasMore else { return false }
      revisions.append(
        RevisionRecord(
          revision: revision, time: time, origin: origin(), isOwn: false, changes: [], changeCount: 0))
    }
    // The record is retained without the changes of the highest IDs. Removing many at once moves each change once.
    if changes.count == 2 * HistoryQuery.Limits.changes { changes.removeFirst(HistoryQuery.Limits.changes) }
    changes.append(change)
    revisions[revisions.count - 1].time = time
    revisions[revisions.count - 1].changeCount += 1
    count += 1
    return true
  }

  private mutating func endRecord() {
    guard !changes.isEmpty else { return }
    revisions[revisions.count - 1].changes = changes.suffix(HistoryQuery.Limits.changes).reversed()
    changes.removeAll(keepingCapacity: true)
  }
}

extension HistoryListing {
  /// The total size of compared item states, in bytes, at which a store ends a page.
  package static let comparedBytes = 4 << 20

  /// Ends the listing before the record with an index.
  package mutating func end(before index: Int) {
    guard index < revisions.count else { return }
    revisions.removeSubrange(index...)
    hasMore = true
  }
}
