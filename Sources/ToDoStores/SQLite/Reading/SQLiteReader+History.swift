import SQLite
import ToDoModel
import ToDoRules

extension SQLiteReader {
  /// Lists recorded revisions.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the read.
  func history(_ selection: HistorySelection, of id: OwnerID) throws -> HistoryListing {
    try inTransaction {
      var listing = HistoryListing(revisions: [], hasMore: false)
      guard let owner = try owner(id) else { return listing }
      let row = selection.item == nil ? history : historyOfItem
      row.bind(owner.number, at: 1)
      row.bind(selection.before?.number ?? .max, at: 2)
      row.bind(owner.floor.number, at: 3)
      if let item = selection.item { row.bind(item, at: 4) }
      var (work, count) = (ReadWork(), 0)
      try row.forEachRow {
        let (revision, change) = (Revision(row.number(0)), try recordedChange(row))
        try work.add(bytes: 0)
        if listing.revisions.last?.revision != revision {
          listing.hasMore = count >= selection.limit
          guard !listing.hasMore else { return false }
          listing.revisions.append(
            RevisionRecord(
              revision: revision, time: Timestamp(microseconds: row.number(2)), origin: row.origin(6), isOwn: false,
              changes: [], changeCount: 0))
        }
        listing.revisions[listing.revisions.count - 1].prepend(change)
        count += 1
        return true
      }
      try addTitles(to: &listing, owner.number)
      return listing
    }
  }

  private func recordedChange(_ row: Statement) throws -> RecordedChange {
    guard let id = row.id(1) else { throw ToDoError.storeUnavailable(detail: "a stored change has no valid identity") }
    guard let number = row.optionalNumber(5) else {
      return RecordedChange(item: id, number: nil, title: nil, kind: .deleted)
    }
    guard let cause = PutCause(number: number) else {
      throw ToDoError.storeUnavailable(detail: "the stored item \(id) has no valid cause")
    }
    return RecordedChange(item: id, number: ItemNumber(row.number(4)), title: row.text(3), kind: .put(cause))
  }

  /// Adds the titles and numbers of the deleted items.
  private func addTitles(to listing: inout HistoryListing, _ owner: Int64) throws {
    titleBeforeDeletion.bind(owner, at: 1)
    for index in listing.revisions.indices {
      for position in listing.revisions[index].changes.indices
      where listing.revisions[index].changes[position].kind == .deleted {
        titleBeforeDeletion.bind(listing.revisions[index].changes[position].item, at: 2)
        titleBeforeDeletion.bind(listing.revisions[index].revision.number, at: 3)
        try titleBeforeDeletion.firstRow {
          listing.revisions[index].changes[position].title = titleBeforeDeletion.text(0)
          listing.revisions[index].changes[position].number = ItemNumber(titleBeforeDeletion.number(1))
        }
      }
    }
  }
}

extension RevisionRecord {
  /// Inserts a change before the others, which have higher IDs. Only the first changes are retained.
  fileprivate mutating func prepend(_ change: RecordedChange) {
    changeCount += 1
    changes.insert(change, at: 0)
    if changes.count > HistoryQuery.Limits.changes { changes.removeLast() }
  }
}
