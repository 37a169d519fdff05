#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules

extension PostgreSQLWriteGroup {
  /// Returns the due lookups of all owners, and postpones them until the end of the lease, in a transaction of its
  /// own. Only a write of the owner `maintenance` calls this.
  ///
  /// - Throws: `ToDoError`. The lookups may be postponed nevertheless.
  func claimPendingLookups(dueBy now: Timestamp, until lease: Timestamp, limit: Int) throws -> [PendingLookup] {
    precondition(lists.isEmpty, "a claim must not wait for lists while it holds locks of lookups")
    do {
      return try StoreTransaction.perform(on: connection) {
        let due = try dueLookups(by: now, limit: limit)
        _ = try connection.send(
          due.map { lookup in
            var parameters = Parameters()
            parameters.append(lookup.owner.name)
            parameters.append(uuid: lookup.item.uuid)
            parameters.append(lease.microseconds)
            return BoundStatement(WriteSQL.postponeLookup, parameters)
          })
        return due.map { lookup in
          var lookup = lookup
          lookup.due = lease
          return lookup
        }
      }
    } catch {
      throw ToDoError(postgreSQL: error)
    }
  }

  private func dueLookups(by now: Timestamp, limit: Int) throws -> [PendingLookup] {
    var parameters = Parameters()
    parameters.append(now.microseconds)
    parameters.append(Int64(limit))
    parameters.append(Int32(StoreSchema.currentVersion))
    let rows = try connection.run(WriteSQL.dueLookups, parameters)
    let lookups = (0..<rows.count).map { row in
      PendingLookup(
        owner: OwnerID(rows.text(row, 0)), item: ItemID(uuid: rows.uuid(row, 1)), address: rows.text(row, 2),
        attempts: Int(rows.int32(row, 3)), due: Timestamp(microseconds: rows.int64(row, 4)))
    }
    try rows.checkIsWellFormed()
    return lookups
  }
}
#endif
