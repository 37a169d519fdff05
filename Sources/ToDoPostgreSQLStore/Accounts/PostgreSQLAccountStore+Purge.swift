#if PostgreSQL
import ToDoPostgreSQL
public import ToDoModel
import ToDoRules

extension PostgreSQLAccountStore {
  /// Deletes a list's items, history, deleted IDs and pending lookups.
  ///
  /// Each transaction deletes a bounded number of rows and is followed by a pause of the same length, so that other
  /// writers take turns with it. The list's revision stays and grows: clients and caches that have an earlier
  /// revision find nothing under it. Writes in flight whose callers' access was checked before are not made, so the
  /// list stays empty until a user is added with it again. The database reuses the space later, and its files, its log and its backups
  /// contain the data until then.
  ///
  /// - Returns: the number of deleted rows.
  /// - Throws: `ToDoError`. The rows deleted before the error stay deleted; another call deletes the rest.
  public func purgeList(_ list: OwnerID) async throws -> Int {
    try await purgeList(list, rowsPerTransaction: 500) { try await Task.sleep(for: $0) }
  }

  /// - Parameter pause: waits after a transaction; its argument is the duration of the transaction.
  func purgeList(
    _ list: OwnerID, rowsPerTransaction: Int, pause: (Duration) async throws -> Void
  ) async throws -> Int {
    guard try await purge(list, limit: 0) != nil else { return 0 }
    var total = 0
    while true {
      let start = ContinuousClock.now
      guard let count = try await purge(list, limit: rowsPerTransaction), count > 0 else { return total }
      total += count
      try await pause(start.duration(to: .now))
    }
  }

  /// Deletes rows of the first table that has any, in one transaction. With the limit 0, only raises the floor of the
  /// feed above every row.
  ///
  /// - Returns: the number of deleted rows, or `nil` if the list does not exist.
  private func purge(_ list: OwnerID, limit: Int) async throws -> Int? {
    try await run { connection in
      try StoreTransaction.perform(on: connection) { () throws -> Int? in
        guard try connection.run(PurgeSQL.lock, .text(list.name)).count == 1 else { return nil }
        if limit == 0 { return try Self.raiseFloor(of: list, connection) }
        var parameters = Parameters.text(list.name)
        parameters.append(Int64(limit))
        var count = 0
        for delete in PurgeSQL.deletions where count == 0 {
          let rows = try connection.run(delete, parameters)
          if rows.count == 1 { count = Int(rows.int64(0, 0)) }
        }
        if count > 0 { try Self.notify(list, connection) }
        return count
      }
    }
  }

  private static func raiseFloor(of list: OwnerID, _ connection: Connection) throws(PostgreSQLError) -> Int {
    _ = try connection.run(PurgeSQL.raiseFloor, .text(list.name))
    try notify(list, connection)
    return 0
  }

  /// Notifies all servers, including a server in this process, whose own writer did not make the change.
  private static func notify(_ list: OwnerID, _ connection: Connection) throws(PostgreSQLError) {
    let notification = ChangeNotification(serverID: "", lists: .some([list]))
    _ = try connection.run(PurgeSQL.notify, .text(notification.payload))
  }
}

/// The statements that delete a list. `$1` is the list, `$2` the maximum number of rows.
private enum PurgeSQL {
  static let lock: SQL = "SELECT revision FROM list WHERE name = $1 FOR NO KEY UPDATE"
  static let raiseFloor: SQL = """
    UPDATE list SET revision = revision + 1, floor = revision + 1,
      access_version = (SELECT account_version FROM todo_store)
    WHERE name = $1
    """
  static let notify: SQL = "SELECT pg_notify('todo_changes', $1)"

  /// Each statement updates the row of the list too, so that the list is consistent after each transaction. It
  /// returns the number of deleted rows, or no row if there is none. The lock of the list keeps the positions
  /// (`ctid`) of its rows valid.
  static let deletions: [SQL] = [
    """
    WITH removed AS (
      DELETE FROM change WHERE ctid = ANY (ARRAY(SELECT ctid FROM change WHERE list = $1 LIMIT $2)) RETURNING size),
    total AS (SELECT count(*) AS count, coalesce(sum(size), 0) AS size FROM removed)
    UPDATE list SET revision = revision + 1, floor = revision + 1,
      byte_count = greatest(0, byte_count - total.size)
    FROM total WHERE name = $1 AND total.count > 0 RETURNING total.count
    """,
    """
    WITH removed AS (
      DELETE FROM pending_lookup WHERE ctid = ANY (ARRAY(SELECT ctid FROM pending_lookup WHERE list = $1 LIMIT $2))
      RETURNING id),
    total AS (SELECT count(*) AS count FROM removed)
    UPDATE list SET revision = revision + 1, floor = revision + 1
    FROM total WHERE name = $1 AND total.count > 0 RETURNING total.count
    """,
    """
    WITH removed AS (
      DELETE FROM item WHERE ctid = ANY (ARRAY(SELECT ctid FROM item WHERE list = $1 LIMIT $2))
      RETURNING size, deleted_at),
    total AS (
      SELECT count(*) AS count, count(*) FILTER (WHERE deleted_at IS NULL) AS items,
        coalesce(sum(size), 0) + 64 * count(deleted_at) AS size FROM removed)
    UPDATE list SET revision = revision + 1, floor = revision + 1, item_count = greatest(0, item_count - total.items),
      byte_count = greatest(0, byte_count - total.size)
    FROM total WHERE name = $1 AND total.count > 0 RETURNING total.count
    """,
  ]
}
#endif
