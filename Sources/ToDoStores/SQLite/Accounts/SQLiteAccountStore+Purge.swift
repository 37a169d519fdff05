public import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteAccountStore {
  /// Deletes a list's items, history, deleted IDs and pending lookups, and overwrites their data in the file.
  ///
  /// Each transaction deletes a bounded number of rows and is followed by a pause of the same length, so that other writers
  /// take turns with it. The list's revision stays and grows by one: clients and caches that know an earlier revision
  /// find nothing under it. Writes in flight whose callers' access was checked before are not made, so the list stays empty
  /// until a user is added with it again.
  ///
  /// - Returns: the number of deleted rows.
  /// - Throws: `ToDoError`. The rows deleted before the error stay deleted; another call deletes the rest.
  public func purgeList(_ list: OwnerID) async throws -> Int {
    try await purgeList(list, rowsPerTransaction: 100) { try await Task.sleep(for: $0) }
  }

  /// - Parameter pause: waits after a transaction; its argument is the duration of the transaction.
  func purgeList(
    _ list: OwnerID, rowsPerTransaction: Int, pause: (Duration) async throws -> Void
  ) async throws -> Int {
    guard let number = try await beginPurge(of: list) else { return 0 }
    var total = 0
    while true {
      let start = ContinuousClock.now
      let count = try await maintain { try Self.purge(number, $0, limit: rowsPerTransaction) }
      total += count
      if count == 0 { break }
      try await pause(start.duration(to: .now))
    }
    // The log still contains the old pages. If a reader blocks this checkpoint, a later one overwrites them.
    try await maintain { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return total
  }

  /// Raises the floor of the feed above every row that will be deleted.
  private func beginPurge(of list: OwnerID) async throws -> Int64? {
    try await maintain { db in
      try db.execute("PRAGMA secure_delete = ON")
      return try db.rows(
        """
        UPDATE owner SET (revision, floor, deletion, deletion_time, deletion_expiry, access_version)
          = (revision + 1, revision + 1, NULL, NULL, NULL, (SELECT version FROM account_version))
        WHERE name = ? RETURNING number
        """, [list.name]
      ) { $0.number(0) }.first
    }
  }

  /// Deletes rows of the first table that has any.
  ///
  /// - Returns: the number of deleted rows.
  private static func purge(_ number: Int64, _ db: Connection, limit: Int) throws -> Int {
    try db.transaction(.immediate) {
      var count = 0
      for part in parts where count == 0 {
        let sizes = try db.rows(
          """
          DELETE FROM \(part.table) WHERE owner = ?1
            AND (\(part.key)) IN (SELECT \(part.key) FROM \(part.table) WHERE owner = ?1 LIMIT ?2) RETURNING \(part.size)
          """, [number, limit]
        ) { $0.number(0) }
        count = sizes.count
        // Keeps the list consistent for other connections after each step.
        try db.run(
          """
          UPDATE owner SET (revision, floor, item_count, byte_count)
            = (revision + 1, revision + 1, max(0, item_count - ?2), max(0, byte_count - ?3)) WHERE number = ?1
          """, [number, part.table == "item" ? count : 0, sizes.reduce(0, +)])
      }
      return count
    }
  }

  private static let parts = [
    (table: "past_change", key: "revision, id", size: ItemSQL.size), (table: "pending_lookup", key: "id", size: "0"),
    (table: "deleted_item", key: "id", size: ItemSQL.deletedSize),
    (table: "item", key: "number", size: ItemSQL.size),
  ]
}
