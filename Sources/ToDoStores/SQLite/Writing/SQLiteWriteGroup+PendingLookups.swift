import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteWriteGroup {
  /// Returns the due lookups of all owners, and postpones them until the end of the lease.
  func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) throws -> [PendingLookup] {
    do {
      let due = try duePendingLookups(by: now, limit: limit)
      return try due.map { owner, lookup in
        let statement = statements.postponePendingLookup
        statement.bind(owner, at: 1)
        statement.bind(lookup.item, at: 2)
        statement.bind(lease.microseconds, at: 3)
        try statement.run()
        var lookup = lookup
        lookup.due = lease
        return lookup
      }
    } catch {
      throw ToDoError(error)
    }
  }

  private func duePendingLookups(
    by now: Timestamp, limit: Int
  ) throws -> [(owner: Int64, lookup: PendingLookup)] {
    let statement = statements.duePendingLookups
    statement.bind(now.microseconds, at: 1)
    statement.bind(Int64(limit), at: 2)
    var due: [(Int64, PendingLookup)] = []
    try statement.forEachRow {
      guard let id = statement.id(1) else {
        throw ToDoError.storeUnavailable(detail: "a stored lookup has no valid identity")
      }
      let lookup = PendingLookup(
        owner: OwnerID(statement.text(0)), item: id, address: statement.text(2), attempts: Int(statement.number(3)),
        due: now)
      due.append((statement.number(4), lookup))
      return true
    }
    return due
  }
}
