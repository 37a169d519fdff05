#if PostgreSQL
import ToDoPostgreSQL
package import ToDoModel
package import ToDoRules
package import ToDoStores

/// Reads a PostgreSQL database that is moved to another store.
package final class PostgreSQLCopySource: CopySource {
  private let connection: PostgreSQLConnection
  /// The number of rows that a statement reads.
  private let chunkSize: Int64

  /// Connects to a database of the current schema, and begins a snapshot.
  ///
  /// - Throws: `PostgreSQLStoreError`, `PostgreSQLError`.
  package convenience init(uri: String) throws {
    let connection = try StoreConnection.open(uri, purpose: "move")
    try StoreSchema.check(connection)
    try connection.execute(PostgreSQLCopySQL.session)
    try connection.execute(StoreTransaction.reading.rawValue)
    self.init(reading: connection)
  }

  /// Creates a reader of the current moment.
  init(reading connection: PostgreSQLConnection, chunkSize: Int64 = 500) {
    self.connection = connection
    self.chunkSize = chunkSize
    connection.timeout = .seconds(300)
  }

  package var identity: StoreIdentity { get throws { try StoreSchema.check(connection) } }

  package func endSnapshot() throws -> Bool {
    if connection.isInTransaction { try connection.execute("COMMIT") }
    return false
  }

  package func lists() throws -> [CopiedList] {
    let rows = try connection.run(PostgreSQLCopySQL.lists)
    let lists = try (0..<rows.count).map { row in
      try CopiedList(
        name: rows.text(row, 0), revision: rows.int64(row, 1), floor: rows.int64(row, 2),
        itemCount: rows.int64(row, 3), byteCount: rows.int64(row, 4), lastNumber: rows.int64(row, 5))
    }
    try rows.checkIsWellFormed()
    return lists
  }

  package func accounts() throws -> Accounts { try PostgreSQLAccountTables(connection: connection).accounts() }

  package func userLists() throws -> CopiedUserLists { try PostgreSQLAccountTables(connection: connection).userLists() }

  package func notificationTargets() throws -> [OwnerID: [NotificationTarget]] {
    try PostgreSQLAccountTables(connection: connection).notificationTargets()
  }

  package func reminderStates() throws -> [CopiedReminderState] {
    try PostgreSQLAccountTables(connection: connection).reminderStates()
  }

  package func forEachRecord(of list: CopiedList, _ body: (CopiedRecord) throws -> Void) throws {
    try forEachRow(of: list, PostgreSQLCopySQL.items) { rows, row in
      let item = try Self.item(rows, row)
      try body(.item(item))
      return item.item.id
    }
    try forEachChange(of: list) { try body(.change($0)) }
    try forEachRow(of: list, PostgreSQLCopySQL.lookups) { rows, row in
      let lookup = PendingLookup(
        owner: OwnerID(list.name), item: ItemID(uuid: rows.uuid(row, 0)), address: rows.text(row, 1),
        attempts: Int(rows.int32(row, 2)), due: Timestamp(microseconds: rows.int64(row, 3)))
      try rows.checkIsWellFormed()
      try body(.lookup(lookup))
      return lookup.item
    }
  }

  /// Reads rows in the order of their IDs. `body` returns the ID.
  private func forEachRow(of list: CopiedList, _ sql: SQL, _ body: (Rows, Int) throws -> ItemID) throws {
    var start: ItemID? = .first
    while let first = start {
      var parameters = Parameters.text(list.name)
      parameters.append(uuid: first.uuid)
      parameters.append(chunkSize)
      let rows = try connection.run(sql, parameters)
      start = nil
      for row in 0..<rows.count {
        let id = try body(rows, row)
        start = rows.count < chunkSize ? nil : id.next
      }
    }
  }

  private func forEachChange(of list: CopiedList, _ body: (CopiedChange) throws -> Void) throws {
    var last = (revision: Int64(-1), id: ItemID.last)
    while true {
      var parameters = Parameters.text(list.name)
      parameters.append(last.revision)
      parameters.append(uuid: last.id.uuid)
      parameters.append(chunkSize)
      parameters.append(list.counters.floor.number)
      let rows = try connection.run(PostgreSQLCopySQL.changes, parameters)
      for row in 0..<rows.count {
        let change = try Self.change(rows, row)
        last = (change.revision.number, change.id)
        try body(change)
      }
      if rows.count < chunkSize { return }
    }
  }

  // MARK: Rows

  private static func item(_ rows: Rows, _ row: Int) throws -> CopiedItem {
    let next = PostgreSQLItemRow.columnCount
    let addedAs = rows.isNull(row, next) ? nil : rows.withBytes(row, next) { ContentFingerprint(storedBytes: $0) }
    let (cause, origin) = (rows.optionalInt16(row, next + 1), rows.origin(row, next + 2))
    let (id, revision) = (ItemID(uuid: rows.uuid(row, 0)), Revision(rows.int64(row, 1)))
    let deletedAt = rows.optionalInt64(row, 3).map { Timestamp(microseconds: $0) }
    try rows.checkIsWellFormed()
    if let deletedAt, rows.isNull(row, 2) {
      return CopiedItem(.placeholder(id, revision, at: deletedAt), .reserved(deletedAt: deletedAt))
    }
    let item = try PostgreSQLItemRow.decode(rows, row)
    if let deletion = item.deletion {
      return CopiedItem(
        item, .kept(deletedAt: deletion.deletedAt, expiresAt: deletion.expiresAt), addedAs: addedAs)
    }
    return CopiedItem(
      item, .present, addedAs: addedAs, cause: cause.flatMap { PutCause(number: Int64($0)) } ?? .added, origin: origin
    )
  }

  private static func change(_ rows: Rows, _ row: Int) throws -> CopiedChange {
    let (revision, id) = (Revision(rows.int64(row, 0)), ItemID(uuid: rows.uuid(row, 1)))
    var change = CopiedChange(
      revision: revision, id: id, kind: .deleted(wasDone: rows.bool(row, 4)),
      time: Timestamp(microseconds: rows.int64(row, 3)), origin: rows.origin(row, 5))
    if let number = rows.optionalInt16(row, 2) {
      guard let cause = PutCause(number: Int64(number)) else {
        throw ToDoError.storeUnavailable(detail: "the stored change \(revision) of \(id) has no valid cause")
      }
      change.kind = .put(cause)
    }
    let size = Int(rows.int32(row, 11))
    try rows.checkIsWellFormed()
    guard !rows.isNull(row, 9), let formerRevision = rows.optionalInt64(row, 10) else { return change }
    let item = try rows.item(row, 9, id: id, revision: Revision(formerRevision))
    if size > change.size {
      let cause = rows.optionalInt16(row, 12).flatMap { PutCause(number: Int64($0)) } ?? .edited
      change.former = CopiedChange.Former(item, cause: cause, origin: rows.origin(row, 13))
    } else {
      change.title = item
    }
    return change
  }
}

extension ItemID {
  /// The ID that sorts after this one; `nil` for the last ID.
  fileprivate var next: ItemID? {
    let (low, overflow) = low.addingReportingOverflow(1)
    guard overflow else { return ItemID(high: high, low: low) }
    return high == .max ? nil : ItemID(high: high + 1, low: 0)
  }
}
#endif
