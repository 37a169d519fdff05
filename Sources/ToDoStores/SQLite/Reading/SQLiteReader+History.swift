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
      // A deletion that is not complete has rows of the next revision.
      row.bind(min(selection.before ?? owner.revision.next, owner.revision.next).number, at: 2)
      row.bind(owner.floor.number, at: 3)
      if let item = selection.item { row.bind(item, at: 4) }
      var (work, records) = (ReadWork(), HistoryRecords(limit: selection.limit))
      try row.forEachRow {
        let change = try recordedChange(row)
        try work.add(bytes: 0)
        let time = Timestamp(microseconds: row.number(2))
        return records.add(change, of: Revision(row.number(0)), at: time, by: { row.origin(6) })
      }
      listing = records.listing
      try addTitles(to: &listing, owner.number)
      return listing
    }
  }

  private func recordedChange(_ row: Statement) throws -> RecordedChange {
    guard let id = row.id(1) else { throw ToDoError.storeUnavailable(detail: "a stored change has no valid identity") }
    guard let number = row.optionalNumber(5) else {
      return RecordedChange(
        item: id, number: row.optionalNumber(4).map { ItemNumber($0) }, title: row.optionalText(3), kind: .deleted)
    }
    guard let cause = PutCause(number: number) else {
      throw ToDoError.storeUnavailable(detail: "the stored item \(id) has no valid cause")
    }
    return RecordedChange(item: id, number: ItemNumber(row.number(4)), title: row.text(3), kind: .put(cause))
  }

  /// Adds the titles and numbers of the deleted items whose former state is not part of the history.
  private func addTitles(to listing: inout HistoryListing, _ owner: Int64) throws {
    titleBeforeDeletion.bind(owner, at: 1)
    for index in listing.revisions.indices {
      for position in listing.revisions[index].changes.indices
      where listing.revisions[index].changes[position].kind == .deleted
        && listing.revisions[index].changes[position].title == nil
      {
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
