import SQLite
import ToDoModel
import ToDoRules

/// A connection for reading, with its prepared statements. It is used by one thread at a time.
final class SQLiteReader {
  private let connection: Connection
  private let begin, commit, rollback, owner, item, itemOfNumber: Statement
  let changes: Statement
  let placesInRange, placesFrom, placesBefore, placeOfRow, itemOfRow: Statement
  private var listings: [Listing: Statement] = [:]
  private var textsToIndex: Statement?
  /// The searched texts of the current row.
  private var folded = FoldedText()

  private struct Listing: Hashable {
    let scan: ItemScan
    let searching: Bool
  }

  /// - Throws: `SQLiteStoreError`, `SQLiteError`.
  init(_ file: DatabaseFile) throws {
    connection = try file.openForReading()
    begin = try Statement(ItemSQL.beginReading, on: connection)
    commit = try Statement(ItemSQL.commit, on: connection)
    rollback = try Statement(ItemSQL.rollback, on: connection)
    owner = try Statement(ItemSQL.owner, on: connection)
    item = try Statement(ItemSQL.item, on: connection)
    itemOfNumber = try Statement(ItemSQL.itemOfNumber, on: connection)
    changes = try Statement(ItemSQL.changes, on: connection)
    placesInRange = try Statement(ItemSQL.placesInRange, on: connection)
    placesFrom = try Statement(ItemSQL.placesFrom, on: connection)
    placesBefore = try Statement(ItemSQL.placesBefore, on: connection)
    placeOfRow = try Statement(ItemSQL.placeOfRow, on: connection)
    itemOfRow = try Statement(ItemSQL.itemOfRow, on: connection)
  }

  /// Returns an item, or `nil` if it does not exist.
  ///
  /// - Throws: `PendingDeletion.Unfinished` if a bulk deletion must be completed first.
  func item(_ id: ItemID, of owner: OwnerID) throws -> ToDoItem? {
    item.bind(owner.name, at: 1)
    item.bind(id, at: 2)
    if let found = try item.firstRow({ try ItemRow.decode(item) }) { return found }
    // A pending deletion hides all items.
    _ = try self.owner(owner)
    return nil
  }

  /// Lists items.
  ///
  /// - Parameter cache: the indexes for text searches.
  /// - Throws: `CancellationError` if the task is cancelled during the read.
  func items(
    _ selection: ItemSelection, of id: OwnerID, searching cache: SearchCache
  ) throws -> ItemListing {
    // The revision and all sections must be of one moment.
    try inTransaction {
      let none = ItemListing(items: [], hasMore: false, revision: .initial)
      guard let owner = try owner(id) else { return none }
      guard selection.numbers.isEmpty else {
        return ItemListing(selection, of: try items(selection.numbers, owner), at: owner.revision)
      }
      guard selection.text.isEmpty else { return try search(selection, of: id, owner, cache) }
      return try scan(selection, owner, rowLimit: .max, byteLimit: .max) ?? none
    }
  }

  /// Reads the items with some numbers.
  private func items(_ numbers: Set<ItemNumber>, _ owner: OwnerRow) throws -> [ToDoItem] {
    itemOfNumber.bind(owner.number, at: 1)
    return try numbers.compactMap { number in
      itemOfNumber.bind(number.value, at: 2)
      return try itemOfNumber.firstRow { try ItemRow.decode(itemOfNumber) }
    }
  }

  /// Lists changes.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the read.
  func changes(_ selection: ChangeSelection, of owner: OwnerID) throws -> ChangeListing {
    // The revision, the floor and all changes must be of one moment.
    try inTransaction { try listing(selection, owner) }
  }

  /// Runs reads in one transaction, so that they see one moment.
  func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    try begin.run()
    do {
      let value = try body()
      try commit.run()
      return value
    } catch {
      try? rollback.run()
      throw error
    }
  }

  /// Reads the row of an owner, or returns `nil` if the owner has no row.
  ///
  /// - Parameter duringDeletion: whether the caller can read a list whose bulk deletion is not complete.
  /// - Throws: `PendingDeletion.Unfinished` if a bulk deletion must be completed first.
  func owner(
    _ id: OwnerID, duringDeletion: Bool = false
  ) throws -> (number: Int64, revision: Revision, floor: Revision)? {
    owner.bind(id.name, at: 1)
    return try owner.firstRow {
      guard duringDeletion || owner.optionalNumber(5) == nil else { throw PendingDeletion.Unfinished() }
      return (owner.number(0), Revision(owner.number(1)), Revision(owner.number(2)))
    }
  }

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
      let statement = try statement(for: scan, searching: !selection.text.isEmpty)
      statement.bind(owner.number, at: 1)
      statement.bind(start.primary, at: 2)
      statement.bind(start.id, at: 3)
      if scan == .byDueDate { statement.bind(start.secondary, at: 4) }
      try statement.forEachRow {
        guard let item = try selectedItem(statement, selection.text, &work) else {
          (rowsLeft, bytesLeft) = (rowsLeft - 1, bytesLeft - folded.count)
          return rowsLeft > 0 && bytesLeft > 0
        }
        listing.hasMore = listing.items.count == selection.limit || size >= selection.sizeLimit
        guard !listing.hasMore else { return false }
        listing.items.append(item)
        size += item.content.textSize
        return true
      }
      guard rowsLeft > 0, bytesLeft > 0 else { return nil }
    }
    return listing
  }

  /// The item of a row, if it matches a filter.
  private func selectedItem(
    _ row: Statement, _ filter: TextFilter, _ work: inout ReadWork
  ) throws -> ToDoItem? {
    guard !filter.isEmpty else {
      try work.add(bytes: 0)
      return try ItemRow.decode(row)
    }
    folded.removeAll()
    for column in 1...4 as ClosedRange<Int32> { row.withUTF8(column) { folded.append($0) } }
    try work.add(bytes: folded.count)
    guard filter.matches(folded) else { return nil }
    itemOfRow.bind(row.number(0), at: 1)
    return try itemOfRow.firstRow { try ItemRow.decode(itemOfRow) }
  }

  private func listing(_ selection: ChangeSelection, _ id: OwnerID) throws -> ChangeListing {
    let owner = try owner(id, duringDeletion: true)
    try selection.check(oldest: owner?.floor ?? .initial, current: owner?.revision ?? .initial)
    guard let owner else { return ChangeListing(sets: [], revision: .initial) }
    var listing = ChangeListing(sets: [], revision: owner.revision)
    changes.bind(owner.number, at: 1)
    changes.bind(selection.after.number, at: 2)
    var (count, size) = (0, 0)
    try changes.forEachRow {
      let change = try ItemRow.decodeChange(changes)
      // A deletion that is not complete has rows of the next revision.
      guard change.revision <= owner.revision else { return false }
      if listing.sets.last?.revision != change.revision {
        guard selection.allowsRevision(afterChanges: count, size: size) else { return false }
        listing.sets.append(ChangeSet(revision: change.revision, changes: []))
      }
      listing.sets[listing.sets.count - 1].changes.append(change)
      count += 1
      size += change.textSize
      if count.isMultiple(of: 256) { try Task.checkCancellation() }
      return true
    }
    return listing
  }

  /// The statement that reads all items of an owner for `SearchIndex`.
  func indexing() throws -> Statement {
    if let textsToIndex { return textsToIndex }
    let statement = try Statement(ItemSQL.index, on: connection)
    textsToIndex = statement
    return statement
  }

  private func statement(for scan: ItemScan, searching: Bool) throws -> Statement {
    let listing = Listing(scan: scan, searching: searching)
    if let statement = listings[listing] { return statement }
    let sql = searching ? ItemSQL.search(scan) : ItemSQL.list(scan)
    let statement = try Statement(sql, on: connection)
    listings[listing] = statement
    return statement
  }
}
