import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteItemTransaction: HistoryTransaction {
  func attribute(to origin: ChangeOrigin) { self.origin = origin }

  func changes(of revision: Revision, after last: ItemID?, limit: Int, sizeLimit: Int) throws -> (
    changes: [RevertibleChange], hasMore: Bool
  ) {
    try completeDeletion()
    try owner.counters.checkCanRead(revision)
    return try perform {
      guard let number = owner.number else { return ([], false) }
      let statement = statements.changesOfRevision
      statement.bind(number, at: 1)
      statement.bind(revision.number, at: 2)
      statement.bind(last.map(ItemScan.ItemBound.at) ?? .beforeAll, at: 3)
      statement.bind(Int64(limit), at: 4)
      var (changes, size) = ([RevertibleChange](), 0)
      try statement.forEachRow {
        let change = try ItemRow.decodeChange(statement)
        changes.append(RevertibleChange(change, former: try formerState(of: change, number)))
        size += changes[changes.count - 1].textSize
        return size < sizeLimit
      }
      return (changes, changes.count == limit || size >= sizeLimit)
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
