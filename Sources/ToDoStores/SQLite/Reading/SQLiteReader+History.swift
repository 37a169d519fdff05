import ToDoModel
import ToDoRules
import ToDoSQLite

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
      try addDetails(to: &listing, owner.number)
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

  /// Adds the titles of deleted items whose former state is not part of the history, and the fields that changes set.
  private func addDetails(to listing: inout HistoryListing, _ owner: Int64) throws {
    titleBeforeDeletion.bind(owner, at: 1)
    statesOfChange.bind(owner, at: 1)
    var (work, size) = (ReadWork(), 0)
    for index in listing.revisions.indices {
      guard size < HistoryListing.comparedBytes else { return listing.end(before: index) }
      let revision = listing.revisions[index].revision
      for position in listing.revisions[index].changes.indices {
        let change = listing.revisions[index].changes[position]
        if change.kind == .deleted, change.title == nil {
          listing.revisions[index].changes[position] = try withTitle(change, of: revision)
        } else if change.hasFormerState {
          let (fields, textSize) = try fields(of: change, at: revision)
          listing.revisions[index].changes[position].fields = fields
          size += textSize
          try work.add(bytes: textSize)
        }
      }
    }
  }

  private func withTitle(_ deletion: RecordedChange, of revision: Revision) throws -> RecordedChange {
    var deletion = deletion
    titleBeforeDeletion.bind(deletion.item, at: 2)
    titleBeforeDeletion.bind(revision.number, at: 3)
    try titleBeforeDeletion.firstRow {
      deletion.title = titleBeforeDeletion.text(0)
      deletion.number = ItemNumber(titleBeforeDeletion.number(1))
    }
    return deletion
  }

  /// Returns the fields that a change set, and the size of the states that it was compared by.
  private func fields(
    of change: RecordedChange, at revision: Revision
  ) throws -> (fields: [FieldChange], textSize: Int) {
    statesOfChange.bind(change.item, at: 2)
    statesOfChange.bind(revision.number, at: 3)
    var former, item: ToDoItem?
    try statesOfChange.forEachRow {
      let state = try ItemRow.decode(statesOfChange)
      if state.revision == revision { item = state } else { former = state }
      return true
    }
    guard let former, let item else { return ([], 0) }
    return (
      FieldChange.differences(from: former, to: item), former.content.textSize + item.content.textSize
    )
  }
}
