import ToDoModel
import ToDoRules

/// The tables of users' lists.
extension AccountTables {
  private var sql: ListSQL { Self.listSQL }

  func listRecords(of owner: OwnerID) throws -> ListRecords {
    // First, because the members may change between two statements: a write then checks its caller's membership again.
    let accountVersion = try self.version
    let next = try firstNumber(AccountStatement(sql.lastVersion)) + 1
    let version = try numbers(AccountStatement(sql.setVersion, [.text(owner.name)])).first ?? 0
    let members = try members(AccountStatement(sql.member.members, [.text(owner.name)]))
    let records = try rows(of: AccountStatement(sql.records, [.text(owner.name)])) {
      try Self.record($0).with(members)
    }
    let shared = try rows(of: AccountStatement(sql.member.sharedRecords, [.text(owner.name)])) { row in
      let record = try Self.record(row).with(members)
      return ListRecords.Shared(record, of: OwnerID(row.optionalText(10) ?? ""), with: owner)
    }
    return ListRecords(
      version: version, nextVersion: next, accountVersion: accountVersion, records, shared: shared.compactMap(\.self))
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
      try putMembers(of: record, of: owner, since: former)
    }
    for id in removed {
      try run(AccountStatement(sql.removeRecord, [.text(owner.name), .text(id.description)]))
      if !id.isDefault { try run(sql.member.remove(id)) }
      try removeReminderStates(ofOthersIn: id)
    }
    for affected in [owner] + changed.affectedMembers(since: former) {
      try run(sql.putSetVersion(changed.version, of: affected))
    }
    try run(AccountStatement(sql.putLastVersion, [.number(changed.nextVersion)]))
    for list in changed.unavailableItems(since: former) { try lockItems(of: list) }
    let ended = changed.endedAccess(since: former)
    if !ended.isEmpty {
      try incrementVersion()
      for list in ended { try endAccess(to: list) }
    }
    return value
  }

  /// - Throws: `ToDoError.userNotFound` for a new member without a user; `ToDoError.invalidRequest` for one who has the maximum
  ///   number of lists or invitations.
  private func putMembers(of record: ListRecords.Record, of owner: OwnerID, since former: ListRecords) throws {
    guard record.members != former[record.list.id]?.members ?? [] else { return }
    for member in record.newMembers(since: former) {
      guard let name = UserName(member.user), try user(.name(name))?.list == member.owner else {
        throw ToDoError.userNotFound(member.user)
      }
      try checkInvitation(to: member, by: owner)
    }
    try run(sql.member.remove(record.list.id))
    for statement in sql.member.put(record, of: owner) { try run(statement) }
    try removeReminderStates(ofOthersIn: record.list.id)
  }

  private func checkInvitation(to member: ListRecords.Member, by owner: OwnerID) throws {
    let statement = AccountStatement(sql.member.counts, [.text(member.owner.name), .text(owner.name)])
    let counts = try rows(of: statement) { (Int($0.number(0)), Int($0.number(1))) }
    guard let (memberships, invitations) = counts.first else { throw ToDoError.malformedLists }
    try ListRecords.checkInvitation(memberships: memberships, invitations: invitations)
  }

  /// Ends the memberships of a user who is removed, and withdraws the user's invitations.
  func removeMemberships(of user: UserName) throws {
    let name = user.description
    let owners = try rows(of: AccountStatement(sql.member.ownersSharing, [.text(name)])) {
      OwnerID($0.optionalText(0) ?? "")
    }
    for owner in owners { try changeLists(of: owner) { $0.removeUser(named: name) } }
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

  func owners(sharingAs user: String) throws -> [OwnerID] {
    try rows(of: AccountStatement(sql.member.ownersNamed, [.text(user)])) { OwnerID($0.optionalText(0) ?? "") }
  }

  func owner(of list: ListID) throws -> OwnerID? {
    try rows(of: AccountStatement(sql.listOwner, [.text(list.description)])) { OwnerID($0.optionalText(0) ?? "") }.first
  }

  /// Returns the lists of all users. They are of one moment if this runs in a transaction that reads one.
  package func userLists() throws -> CopiedUserLists {
    var lists = CopiedUserLists()
    lists.version = try firstNumber(AccountStatement(sql.lastVersion))
    var records: [OwnerID: [ListRecords.Record]] = [:]
    let members = try members(AccountStatement(sql.member.all))
    for (owner, record) in try rows(
      of: AccountStatement(sql.all),
      decode: { (OwnerID($0.optionalText(10) ?? ""), try Self.record($0).with(members)) })
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

  /// The members of lists.
  private func members(_ statement: AccountStatement) throws -> [ListID: StoredMembers] {
    try rows(of: statement) { row in (row.optionalText(2), try Self.member(row)) }
      .reduce(into: [:]) { members, found in
        members[found.1.list, default: StoredMembers()].members.append(found.1.member)
        members[found.1.list]?.ownerUser = found.0 ?? ""
      }
  }

  private static func member(_ row: Row) throws -> (list: ListID, member: ListRecords.Member) {
    guard let list = ListID(row.optionalText(0) ?? ""), let owner = row.optionalText(3), let user = row.optionalText(4),
      let role = ListRole(rawValue: row.optionalText(5) ?? "")
    else { throw ToDoError.malformedLists }
    let member = ListRecords.Member(
      owner: OwnerID(owner), user: user, role: role, invitedAt: Timestamp(microseconds: row.number(6)),
      acceptedAt: row.optionalNumber(7).map(Timestamp.init(microseconds:)))
    return (list, member)
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

/// The stored members of one list.
private struct StoredMembers {
  var ownerUser = ""
  /// The members, by name.
  var members: [ListRecords.Member] = []
}

extension ListRecords.Record {
  fileprivate func with(_ members: [ListID: StoredMembers]) -> ListRecords.Record {
    guard let stored = members[list.id] else { return self }
    var record = self
    (record.members, record.ownerUser) = (stored.members, stored.ownerUser)
    return record
  }
}

extension ToDoError {
  /// A row of lists is malformed.
  static let malformedLists = storeUnavailable(detail: "the stored lists are malformed")
}
