import GRDB
import ToDoModel

/// A connection that reads, with its prepared statements; used by one thread at a time.
final class SQLiteReader {
  /// Open as long as the reader is.
  private let queue: DatabaseQueue
  private let connection: OpaquePointer
  private let begin, commit, rollback, owner, item: PreparedStatement
  private var listings: [ItemScan: PreparedStatement] = [:]

  /// - Throws: `SQLiteStoreError`, `DatabaseError`.
  init(_ file: DatabaseFile) throws {
    queue = try file.openForReading()
    guard let connection = queue.inDatabase(\.sqliteConnection) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE)
    }
    self.connection = connection
    begin = try PreparedStatement(ItemSQL.beginReading, on: connection)
    commit = try PreparedStatement(ItemSQL.commit, on: connection)
    rollback = try PreparedStatement(ItemSQL.rollback, on: connection)
    owner = try PreparedStatement(ItemSQL.owner, on: connection)
    item = try PreparedStatement(ItemSQL.item, on: connection)
  }

  func item(_ id: ItemID, of owner: OwnerID) throws -> ToDoItem? {
    item.bind(owner.name, at: 1)
    item.bind(id, at: 2)
    return try item.firstRow { try ItemRow.decode(item) }
  }

  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func items(_ selection: ItemSelection, of owner: OwnerID) throws -> ItemListing {
    // One transaction, so that the revision and all sections are of one moment.
    try begin.run()
    do {
      let listing = try listing(selection, owner)
      try commit.run()
      return listing
    } catch {
      try? rollback.run()
      throw error
    }
  }

  private func listing(_ selection: ItemSelection, _ id: OwnerID) throws -> ItemListing {
    owner.bind(id.name, at: 1)
    guard let (number, revision) = try owner.firstRow({ (owner.number(0), Revision(owner.number(1))) }) else {
      return ItemListing(items: [], hasMore: false, revision: .initial)
    }
    var listing = ItemListing(items: [], hasMore: false, revision: revision)
    for (scan, start) in ItemScan.scans(for: selection) where !listing.hasMore {
      let statement = try statement(for: scan)
      statement.bind(number, at: 1)
      statement.bind(start.primary, at: 2)
      statement.bind(start.id, at: 3)
      if scan == .byDueDate { statement.bind(start.secondary, at: 4) }
      var rowCount = 0
      try statement.forEachRow {
        rowCount += 1
        if rowCount.isMultiple(of: 256) { try Task.checkCancellation() }
        let item = try ItemRow.decode(statement)
        guard selection.text.matches(item.content) else { return true }
        listing.hasMore = listing.items.count == selection.limit
        if !listing.hasMore { listing.items.append(item) }
        return !listing.hasMore
      }
    }
    return listing
  }

  private func statement(for scan: ItemScan) throws -> PreparedStatement {
    if let statement = listings[scan] { return statement }
    let statement = try PreparedStatement(ItemSQL.list(scan), on: connection)
    listings[scan] = statement
    return statement
  }
}
