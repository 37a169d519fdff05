import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteItemTransaction {
  func pendingLookup(of id: ItemID) throws -> PendingLookup? {
    try perform {
      guard let number = owner.number else { return nil }
      let statement = statements.pendingLookup
      statement.bind(number, at: 1)
      statement.bind(id, at: 2)
      return try statement.firstRow {
        PendingLookup(
          owner: OwnerID(owner.name), item: id, address: statement.text(0), attempts: Int(statement.number(1)),
          due: Timestamp(microseconds: statement.number(2)))
      }
    }
  }

  func setPendingLookup(of id: ItemID, _ lookup: PendingLookup?) throws {
    try change { owner in
      let statement = lookup == nil ? statements.deletePendingLookup : statements.setPendingLookup
      statement.bind(owner, at: 1)
      statement.bind(id, at: 2)
      if let lookup {
        statement.bind(lookup.address, at: 3)
        statement.bind(Int64(lookup.attempts), at: 4)
        statement.bind(lookup.due.microseconds, at: 5)
      }
      try statement.run()
    }
  }
}
