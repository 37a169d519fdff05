import ToDoModel
import ToDoRules

/// The tables of the lists of users.
extension AccountTables {
  private var sql: ListSQL { Self.listSQL }

  func listRecords(of owner: OwnerID) throws -> ListRecords {
    let next = try firstNumber(AccountStatement(sql.lastVersion)) + 1
    let version = try numbers(AccountStatement(sql.setVersion, [.text(owner.name)])).first ?? 0
    let records = try rows(of: AccountStatement(sql.records, [.text(owner.name)])) { try Self.record($0) }
    return ListRecords(version: version, nextVersion: next, accountVersion: try self.version, records)
  }

  /// Runs `body`, and stores the records that it changes.
  func changeLists<Value>(of owner: OwnerID, _ body: (inout ListRecords) throws -> Value) throws -> Value {
    // First, because its lock serializes the changes of all servers.
    _ = try firstNumber(AccountStatement(sql.lockLastVersion))
    let former = try listRecords(of: owner)
    var changed = former
    let value = try body(&changed)
    let (put, removed) = changed.changes(since: former)
    guard !put.isEmpty || !removed.isEmpty else { return value }
    for record in put {
      let id = record.list.id
      let others = AccountStatement(sql.otherOwner, [.text(owner.name), .text(id.description)])
      let isTaken = try !id.isDefault && former[id] == nil && !rows(of: others) { _ in }.isEmpty
      if isTaken { throw ToDoError.listIDConflict(id) }
      try run(sql.put(record, of: owner))
    }
    for id in removed { try run(AccountStatement(sql.removeRecord, [.text(owner.name), .text(id.description)])) }
    try run(sql.putSetVersion(changed.version, of: owner))
    try run(AccountStatement(sql.putLastVersion, [.number(changed.nextVersion)]))
    return value
  }

  func listChanges(after version: Int64, limit: Int) throws -> ListChanges {
    // Before the changes: one that is made meanwhile is then returned again by the next call.
    let last = try firstNumber(AccountStatement(sql.lastVersion))
    let statement = AccountStatement(sql.changes, [.number(version), .number(Int64(limit))])
    let changes = try rows(of: statement) { row in (OwnerID(row.optionalText(0) ?? ""), row.number(1)) }
    let isComplete = changes.count < limit
    return ListChanges(version: isComplete ? last : changes.last?.1 ?? last, owners: changes.map(\.0))
  }

  func expiredLists(at now: Timestamp, limit: Int) throws -> [ExpiredList] {
    let statement = AccountStatement(sql.expired, [.number(now.microseconds), .number(Int64(limit))])
    return try rows(of: statement) { row in
      guard let id = ListID(row.optionalText(1) ?? "") else { throw ToDoError.malformedLists }
      return ExpiredList(owner: OwnerID(row.optionalText(0) ?? ""), id: id)
    }
  }

  func listUsage(of owner: OwnerID) throws -> [OwnerID: ListUsage] {
    let usage = try rows(of: AccountStatement(sql.usage, [.text(owner.name)])) { row in
      (
        OwnerID(row.optionalText(0) ?? ""),
        ListUsage(itemCount: Int(row.number(1)), byteCount: Int(row.number(2)))
      )
    }
    return Dictionary(usage) { $1 }
  }

  /// Returns the lists of all users. They are of one moment if this runs in a transaction that reads one.
  package func userLists() throws -> CopiedUserLists {
    var lists = CopiedUserLists()
    lists.version = try firstNumber(AccountStatement(sql.lastVersion))
    var records: [OwnerID: [ListRecords.Record]] = [:]
    for (owner, record) in try rows(
      of: AccountStatement(sql.all), decode: { (OwnerID($0.optionalText(10) ?? ""), try Self.record($0)) })
    {
      records[owner, default: []].append(record)
    }
    lists.users = try rows(of: AccountStatement(sql.allSets)) { row in
      let owner = OwnerID(row.optionalText(0) ?? "")
      return CopiedUserLists.User(owner: owner, version: row.number(1), records: records[owner] ?? [])
    }
    return lists
  }

  // MARK: Rows

  private func run(_ statement: AccountStatement) throws { _ = try rows(of: statement) { _ in } }

  private func numbers(_ statement: AccountStatement) throws -> [Int64] { try rows(of: statement) { $0.number(0) } }

  private func firstNumber(_ statement: AccountStatement) throws -> Int64 {
    guard let number = try numbers(statement).first else { throw ToDoError.malformedLists }
    return number
  }

  private static func record(_ row: Row) throws -> ListRecords.Record {
    guard let id = ListID(row.optionalText(0) ?? ""), let name = row.optionalText(1),
      let order = Int32(exactly: row.number(3))
    else { throw ToDoError.malformedLists }
    func time(_ column: Int32) -> Timestamp? { row.optionalNumber(column).map(Timestamp.init(microseconds:)) }
    var list = UserList(
      id: id, name: name, color: ListColor(rawValue: row.optionalText(2) ?? "") ?? .none, order: order,
      createdAt: time(4), updatedAt: time(5), version: row.number(6))
    if let deletedAt = time(7), let expiresAt = time(8) {
      list.deletion = ToDoItem.Deletion(deletedAt: deletedAt, expiresAt: expiresAt)
    }
    return ListRecords.Record(list, createdAs: row.optionalText(9))
  }
}

extension ToDoError {
  /// A row of lists is malformed.
  static let malformedLists = storeUnavailable(detail: "the stored lists are malformed")
}
