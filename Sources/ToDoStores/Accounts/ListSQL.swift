package import ToDoModel
package import ToDoRules

/// The statements on the lists of users, which are the same in every database except for some names.
package struct ListSQL: Sendable {
  let records, setVersion, putRecord, removeRecord, otherOwner, listOwner, putSetVersion, changes, expired,
    usage: String
  let lastVersion, lockLastVersion, putLastVersion: String
  let all, allSets, deleteAll, deleteSets: String
  let member: ListMemberSQL

  /// Creates the statements of a database.
  ///
  /// - Parameters:
  ///   - itemOwners: the table with the number and size of each owner's items.
  ///   - versions: the table with the version of the last change, in its only row.
  ///   - lock: the end of a query that locks its rows.
  ///   - p: the character before the number of a parameter.
  package init(itemOwners: String, versions: String, lock: String, parameterPrefix p: String) {
    let columns =
      "id, name, color, position, created_at, updated_at, version, deleted_at, expires_at, created_as"
    records = "SELECT \(columns) FROM user_list WHERE owner = \(p)1 ORDER BY id"
    setVersion = "SELECT version FROM list_set WHERE owner = \(p)1"
    putRecord = """
      INSERT INTO user_list (owner, \(columns))
      VALUES (\((1...11).map { "\(p)\($0)" }.joined(separator: ", ")))
      ON CONFLICT (owner, id) DO UPDATE SET name = excluded.name, color = excluded.color, position = excluded.position,
        updated_at = excluded.updated_at, version = excluded.version, deleted_at = excluded.deleted_at,
        expires_at = excluded.expires_at
      """
    removeRecord = "DELETE FROM user_list WHERE owner = \(p)1 AND id = \(p)2"
    otherOwner = "SELECT owner FROM user_list WHERE id = \(p)2 AND owner <> \(p)1"
    listOwner = "SELECT owner FROM user_list WHERE id = \(p)1 AND id <> 'default'"
    putSetVersion = """
      INSERT INTO list_set (owner, version) VALUES (\(p)1, \(p)2)
      ON CONFLICT (owner) DO UPDATE SET version = excluded.version
      """
    changes = "SELECT owner, version FROM list_set WHERE version > \(p)1 ORDER BY version LIMIT \(p)2"
    expired = "SELECT owner, id FROM user_list WHERE expires_at <= \(p)1 ORDER BY expires_at LIMIT \(p)2"
    usage = """
      SELECT name, item_count, byte_count
      FROM \(itemOwners) WHERE name = \(p)1 OR name IN (SELECT 'list:' || id FROM user_list WHERE owner = \(p)1)
      """
    lastVersion = "SELECT list_version FROM \(versions)"
    lockLastVersion = lastVersion + lock
    putLastVersion = "UPDATE \(versions) SET list_version = \(p)1"
    all = "SELECT \(columns), owner FROM user_list ORDER BY owner, id"
    allSets = "SELECT owner, version FROM list_set ORDER BY owner"
    deleteAll = "DELETE FROM user_list"
    deleteSets = "DELETE FROM list_set"
    member = ListMemberSQL(listColumns: columns, parameterPrefix: p)
  }

  func put(_ record: ListRecords.Record, of owner: OwnerID) -> AccountStatement {
    let list = record.list
    return AccountStatement(
      putRecord,
      [
        .text(owner.name), .text(list.id.description), .text(list.name), .text(list.color.rawValue),
        .number(Int64(list.order)), .number(list.createdAt?.microseconds), .number(list.updatedAt?.microseconds),
        .number(list.version), .number(list.deletion?.deletedAt.microseconds),
        .number(list.deletion?.expiresAt.microseconds), .text(record.createdAs),
      ])
  }

  func putSetVersion(_ version: Int64, of owner: OwnerID) -> AccountStatement {
    AccountStatement(putSetVersion, [.text(owner.name), .number(version)])
  }

  /// The statements that replace the lists of all users.
  package func replaceAll(with lists: CopiedUserLists) -> [AccountStatement] {
    let additions = lists.users.flatMap { user in
      user.records.flatMap { [put($0, of: user.owner)] + member.put($0, of: user.owner) }
        + [putSetVersion(user.version, of: user.owner)]
    }
    return [AccountStatement(member.deleteAll), AccountStatement(deleteAll), AccountStatement(deleteSets)] + additions
      + [AccountStatement(putLastVersion, [.number(lists.version)])]
  }
}

/// The statements on the members of lists.
package struct ListMemberSQL: Sendable {
  let members, sharedRecords, counts, insert, remove, ownersSharing, ownersNamed, all, deleteAll: String

  /// - Parameters:
  ///   - listColumns: the columns of a list.
  ///   - p: the character before the number of a parameter.
  init(listColumns: String, parameterPrefix p: String) {
    let columns = "list_id, owner, owner_user, member, member_user, role, invited_at, accepted_at"
    let shared = "(SELECT list_id FROM list_member WHERE member = \(p)1)"
    members = """
      SELECT \(columns) FROM list_member WHERE owner = \(p)1 OR list_id IN \(shared) ORDER BY list_id, member_user
      """
    sharedRecords = """
      SELECT \(listColumns), owner FROM user_list WHERE id <> 'default' AND id IN \(shared) ORDER BY id
      """
    counts = """
      SELECT count(*), count(CASE WHEN owner = \(p)2 AND accepted_at IS NULL THEN 1 END)
      FROM list_member WHERE member = \(p)1
      """
    insert = """
      INSERT INTO list_member (\(columns)) VALUES (\((1...8).map { "\(p)\($0)" }.joined(separator: ", ")))
      """
    remove = "DELETE FROM list_member WHERE list_id = \(p)1"
    ownersSharing = """
      SELECT DISTINCT owner FROM list_member WHERE member_user = \(p)1 OR owner_user = \(p)1 ORDER BY owner
      """
    ownersNamed = "SELECT DISTINCT owner FROM list_member WHERE owner_user = \(p)1 ORDER BY owner"
    all = "SELECT \(columns) FROM list_member ORDER BY list_id, member_user"
    deleteAll = "DELETE FROM list_member"
  }

  /// The statements that insert the members of a list that has none.
  func put(_ record: ListRecords.Record, of owner: OwnerID) -> [AccountStatement] {
    record.members.map { member in
      AccountStatement(
        insert,
        [
          .text(record.list.id.description), .text(owner.name), .text(record.ownerUser), .text(member.owner.name),
          .text(member.user), .text(member.role.rawValue), .number(member.invitedAt.microseconds),
          .number(member.acceptedAt?.microseconds),
        ])
    }
  }

  /// The statement that removes a list's members.
  func remove(_ list: ListID) -> AccountStatement { AccountStatement(remove, [.text(list.description)]) }
}

/// The lists of all users, without their items.
package struct CopiedUserLists: Equatable, Sendable {
  /// A user's lists.
  package struct User: Equatable, Sendable {
    /// The owner of the user's default list.
    package var owner: OwnerID
    /// The version of the last change.
    package var version: Int64
    /// The lists, by ID.
    package var records: [ListRecords.Record]
  }

  /// The version of the last change to any user's lists.
  package var version: Int64 = 0
  /// The users who have changed their lists, by owner.
  package var users: [User] = []

  /// Creates the lists of no user.
  package init() {}
}
