import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteReader {
  /// Lists items row by row.
  ///
  /// - Returns: `nil` if more rows or bytes of text than the limits were read before the page was full.
  func scan(
    _ selection: ItemSelection, _ owner: OwnerRow, rowLimit: Int, byteLimit: Int
  ) throws -> ItemListing? {
    var listing = ItemListing(items: [], hasMore: false, revision: owner.revision)
    var (work, size) = (ReadWork(), 0)
    var (rowsLeft, bytesLeft) = (rowLimit, byteLimit)
    for (scan, start) in ItemScan.scans(for: selection) where !listing.hasMore {
      let statement = try bound(scan, start, selection, owner)
      try statement.forEachRow {
        switch try read(statement, of: scan, selection, &work) {
        case .end: return false
        case .skipped:
          (rowsLeft, bytesLeft) = (rowsLeft - 1, bytesLeft - folded.count)
          return rowsLeft > 0 && bytesLeft > 0
        case .item(let item):
          listing.hasMore = listing.items.count == selection.limit || size >= selection.sizeLimit
          guard !listing.hasMore else { return false }
          listing.items.append(item)
          size += item.content.textSize
          return true
        }
      }
      guard rowsLeft > 0, bytesLeft > 0 else { return nil }
    }
    return listing
  }

  private func bound(
    _ scan: ItemScan, _ start: ItemScan.Start, _ selection: ItemSelection, _ owner: OwnerRow
  ) throws -> Statement {
    let statement = try statement(for: scan, searching: !selection.text.isEmpty)
    statement.bind(owner.number, at: 1)
    statement.bind(start.primary, at: 2)
    statement.bind(start.id, at: 3)
    if scan.isDeletion { statement.bind(selection.now.microseconds, at: 4) }
    if scan == .byDueDate { statement.bind(start.secondary, at: 4) }
    return statement
  }

  private enum Row {
    case item(ToDoItem)
    /// The item does not pass the filters.
    case skipped
    /// Neither this item nor any after it passes the filters.
    case end
  }

  private func read(
    _ row: Statement, of scan: ItemScan, _ selection: ItemSelection, _ work: inout ReadWork
  ) throws -> Row {
    let item =
      scan.isDeletion
      ? try deletedItem(row, selection.text, &work) : try item(row, selection.text, &work)
    guard let item else { return .skipped }
    if scan == .byDueDate, let last = selection.lastDueOrder, item.dueOrder > last { return .end }
    return selection.passesFilter(item) ? .item(item) : .skipped
  }

  /// The item of a row, if it contains a text.
  private func item(_ row: Statement, _ text: TextFilter, _ work: inout ReadWork) throws -> ToDoItem? {
    guard !text.isEmpty else {
      try work.add(bytes: 0)
      return try ItemRow.decode(row)
    }
    folded.removeAll()
    for column in 1...4 as ClosedRange<Int32> { row.withUTF8(column) { folded.append($0) } }
    try work.add(bytes: folded.count)
    guard text.matches(folded) else { return nil }
    itemOfRow.bind(row.number(0), at: 1)
    return try itemOfRow.firstRow { try ItemRow.decode(itemOfRow) }
  }

  /// The deleted item of a row, if it contains a text.
  private func deletedItem(_ row: Statement, _ text: TextFilter, _ work: inout ReadWork) throws -> ToDoItem? {
    let item = try ItemRow.decodeDeleted(row)
    try work.add(bytes: text.isEmpty ? 0 : item.content.textSize)
    return text.matches(item.content) ? item : nil
  }
}
