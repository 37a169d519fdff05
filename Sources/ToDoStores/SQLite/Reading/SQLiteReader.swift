import ToDoModel
import ToDoRules
import ToDoSQLite

/// A connection for reading, with its statements, each compiled when it is used first. It is used by one thread at a time.
final class SQLiteReader {
  private let connection: Connection
  private let begin, commit, rollback, owner, item, record, itemOfNumber, keptItemOfNumber: Statement
  let changes, history, historyOfItem, titleBeforeDeletion, statesOfChange: Statement
  let placesInRange, placesFrom, placesBefore, itemOfRow: Statement
  private var listings: [Listing: Statement] = [:]
  /// Reads all items of an owner for `SearchIndex`.
  let indexing: Statement
  /// Whether reads see a list whose bulk deletion is not complete.
  private var readsDuringDeletion = false
  /// The searched texts of the current row.
  var folded = FoldedText()

  private struct Listing: Hashable {
    let scan: ItemScan
    let searching: Bool
  }

  /// - Throws: `SQLiteStoreError`, `SQLiteError`.
  init(_ file: DatabaseFile) throws {
    let connection = try file.openForReading()
    func statement(_ sql: String) -> Statement { Statement(compilingLater: sql, on: connection) }
    self.connection = connection
    begin = statement(ItemSQL.beginReading)
    commit = statement(ItemSQL.commit)
    rollback = statement(ItemSQL.rollback)
    owner = statement(ItemSQL.owner)
    item = statement(ItemSQL.item)
    record = statement(ItemSQL.record)
    itemOfNumber = statement(ItemSQL.itemOfNumber)
    keptItemOfNumber = statement(ItemSQL.keptItemOfNumber)
    changes = statement(ItemSQL.changes)
    history = statement(ItemSQL.history)
    historyOfItem = statement(ItemSQL.historyOfItem)
    titleBeforeDeletion = statement(ItemSQL.titleBeforeDeletion)
    statesOfChange = statement(ItemSQL.statesOfChange)
    placesInRange = statement(ItemSQL.placesInRange)
    placesFrom = statement(ItemSQL.placesFrom)
    placesBefore = statement(ItemSQL.placesBefore)
    itemOfRow = statement(ItemSQL.itemOfRow)
    indexing = statement(ItemSQL.index)
  }

  /// Runs reads that see the remaining items of a list whose bulk deletion cannot be completed.
  func duringDeletion<Value>(_ body: () throws -> Value) throws -> Value {
    readsDuringDeletion = true
    defer { readsDuringDeletion = false }
    return try body()
  }

  /// Returns an item, or `nil` if it does not exist.
  ///
  /// - Throws: `PendingDeletion.Unfinished` if a bulk deletion must be completed first.
  func item(_ id: ItemID, of owner: OwnerID) throws -> ToDoItem? {
    item.bind(owner.name, at: 1)
    item.bind(id, at: 2)
    if let found = try item.firstRow({ try ItemRow.decode(item) }) { return found }
    // A pending deletion hides all items.
    guard let row = try self.owner(owner), readsDuringDeletion else { return nil }
    record.bind(row.number, at: 1)
    record.bind(id, at: 2)
    return try record.firstRow { try ItemRow.decode(record) }
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
        return ItemListing(selection, of: try numbered(selection, owner), at: owner.revision)
      }
      // The index contains neither deleted items nor what the filters by due date and place require.
      guard selection.text.isEmpty || selection.deleted != .excluded || selection.hasFilter else {
        return try search(selection, of: id, owner, cache)
      }
      return try scan(selection, owner, rowLimit: .max, byteLimit: .max) ?? none
    }
  }

  /// Reads the items with the numbers of a selection.
  private func numbered(_ selection: ItemSelection, _ owner: OwnerRow) throws -> [ToDoItem] {
    itemOfNumber.bind(owner.number, at: 1)
    keptItemOfNumber.bind(owner.number, at: 1)
    keptItemOfNumber.bind(selection.now.microseconds, at: 3)
    return try selection.numbers.compactMap { number in
      itemOfNumber.bind(number.value, at: 2)
      if let item = try itemOfNumber.firstRow({ try ItemRow.decode(itemOfNumber) }) { return item }
      guard selection.deleted != .excluded else { return nil }
      keptItemOfNumber.bind(number.value, at: 2)
      return try keptItemOfNumber.firstRow { try ItemRow.decodeDeleted(keptItemOfNumber) }
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
      guard duringDeletion || readsDuringDeletion || owner.optionalNumber(5) == nil else {
        throw PendingDeletion.Unfinished()
      }
      let counters = try ListCounters(owner)
      return (owner.number(0), counters.revision, counters.floor)
    }
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

  func statement(for scan: ItemScan, searching: Bool) throws -> Statement {
    let listing = Listing(scan: scan, searching: searching && !scan.isDeletion)
    if let statement = listings[listing] { return statement }
    let sql = listing.searching ? ItemSQL.search(scan) : ItemSQL.list(scan)
    let statement = try Statement(sql, on: connection)
    listings[listing] = statement
    return statement
  }
}

extension SQLiteReader: PooledReader {
  /// A file stays open.
  var isUsable: Bool { true }

  static func translate(_ error: any Error) -> any Error {
    error is PendingDeletion.Unfinished ? error : ToDoError(error)
  }
}
