import SQLite
import ToDoModel
import ToDoRules

extension SQLiteItemTransaction: HistoryTransaction {
  func attribute(to origin: ChangeOrigin) { self.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int) throws -> [RevertibleChange] {
    try completeDeletion()
    guard revision <= owner.revision else { throw ToDoError.revisionInFuture(current: owner.revision) }
    guard revision > owner.floor else { throw ToDoError.revisionCompacted(oldest: owner.floor) }
    return try perform {
      guard let number = owner.number else { return [] }
      let statement = statements.changesOfRevision
      statement.bind(number, at: 1)
      statement.bind(revision.number, at: 2)
      statement.bind(last.map(ItemScan.ItemBound.at) ?? .beforeAll, at: 3)
      statement.bind(Int64(limit), at: 4)
      var changes: [RevertibleChange] = []
      try statement.forEachRow {
        changes.append(RevertibleChange(try ItemRow.decodeChange(statement), former: nil))
        return true
      }
      for index in changes.indices { changes[index].former = try formerState(of: changes[index].change, number) }
      return changes
    }
  }

  private func formerState(of change: ItemChange, _ owner: Int64) throws -> ToDoItem? {
    guard case .put = change else { return nil }
    let statement = statements.formerState
    statement.bind(owner, at: 1)
    statement.bind(change.revision.number, at: 2)
    statement.bind(change.id, at: 3)
    return try statement.firstRow { try ItemRow.decode(statement) }
  }
}
