package import ToDoModel
package import ToDoRules

/// The statements on notification targets, which are the same in every database except for some names.
package struct NotificationSQL: Sendable {
  let targets, all, insert, removeSecret, remove, removeOfUser, userOfList, deleteAll: String

  /// Creates the statements of a database.
  ///
  /// - Parameters:
  ///   - user: the table of users.
  ///   - p: the character before the number of a parameter.
  package init(userTable user: String, parameterPrefix p: String) {
    let columns = "id, kind, url, secret, owner"
    targets = "SELECT \(columns) FROM notification_target WHERE owner = \(p)1 ORDER BY id"
    all = "SELECT \(columns) FROM notification_target ORDER BY owner, id"
    insert = "INSERT INTO notification_target (\(columns)) VALUES (\(p)1, \(p)2, \(p)3, \(p)4, \(p)5)"
    removeSecret =
      "UPDATE notification_target SET secret = NULL WHERE owner = \(p)1 AND id = \(p)2 AND secret = \(p)3 RETURNING \(columns)"
    remove = "DELETE FROM notification_target WHERE owner = \(p)1 AND id = \(p)2 RETURNING \(columns)"
    removeOfUser = "DELETE FROM notification_target WHERE owner = \(p)1"
    userOfList = "SELECT name FROM \(user) WHERE list = \(p)1"
    deleteAll = "DELETE FROM notification_target"
  }

  func insert(_ target: NotificationTarget, of user: OwnerID) -> AccountStatement {
    AccountStatement(
      insert,
      [
        .text(target.id.description), .text(target.kind.rawValue), .text(target.url), .text(target.secret),
        .text(user.name),
      ])
  }

  /// The statements that replace the targets of all users.
  package func replaceAll(with targets: [OwnerID: [NotificationTarget]]) -> [AccountStatement] {
    [AccountStatement(deleteAll)] + targets.flatMap { user, targets in targets.map { insert($0, of: user) } }
  }
}

/// The table of notification targets.
extension AccountTables {
  private var sql: NotificationSQL { Self.notificationSQL }

  func notificationTargets(of user: OwnerID) throws -> [NotificationTarget] {
    try rows(of: AccountStatement(sql.targets, [.text(user.name)])) { try Self.target($0) }
  }

  /// Returns the targets of all users. They are of one moment if this runs in a transaction that reads one.
  package func notificationTargets() throws -> [OwnerID: [NotificationTarget]] {
    try rows(of: AccountStatement(sql.all)) { (OwnerID($0.optionalText(4) ?? ""), try Self.target($0)) }
      .reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
  }

  /// Returns the targets of all users with the account version.
  package func allNotificationTargets() throws -> NotificationTargets {
    NotificationTargets(version: try version, users: try notificationTargets())
  }

  func add(_ target: NotificationTarget, of user: OwnerID) throws {
    let isUser = try !rows(of: AccountStatement(sql.userOfList, [.text(user.name)])) { _ in }.isEmpty
    guard isUser else { throw ToDoError.unauthenticated }
    try notificationTargets(of: user).checkAddition(of: target)
    _ = try rows(of: sql.insert(target, of: user)) { _ in }
  }

  func removeSecret(_ secret: String, ofNotificationTarget id: NotificationTargetID, of user: OwnerID) throws {
    let statement = AccountStatement(sql.removeSecret, [.text(user.name), .text(id.description), .text(secret)])
    guard try !rows(of: statement, decode: { try Self.target($0) }).isEmpty else {
      throw ToDoError.notificationTargetNotFound(id)
    }
  }

  func removeNotificationTarget(_ id: NotificationTargetID, of user: OwnerID) throws -> NotificationTarget {
    let statement = AccountStatement(sql.remove, [.text(user.name), .text(id.description)])
    guard let target = try rows(of: statement, decode: { try Self.target($0) }).first else {
      throw ToDoError.notificationTargetNotFound(id)
    }
    return target
  }

  func removeNotificationTargets(of user: OwnerID) throws {
    _ = try rows(of: AccountStatement(sql.removeOfUser, [.text(user.name)])) { _ in }
  }

  private static func target(_ row: Row) throws -> NotificationTarget {
    guard let id = NotificationTargetID(row.optionalText(0) ?? ""),
      let kind = NotificationTarget.Kind(rawValue: row.optionalText(1) ?? ""), let url = row.optionalText(2)
    else { throw ToDoError.malformedTargets }
    return NotificationTarget(id: id, kind: kind, url: url, secret: row.optionalText(3))
  }
}

extension DatabaseAccountStore {
  public func notificationTargets(of user: OwnerID) async throws -> [NotificationTarget] {
    try await read { try $0.notificationTargets(of: user) }
  }

  public func addNotificationTarget(
    _ target: NotificationTarget, of user: OwnerID, checking check: @escaping AccessCheck
  ) async throws {
    try await changeTargets(checking: check) { try $0.add(target, of: user) }
  }

  public func removeNotificationTarget(
    _ id: NotificationTargetID, of user: OwnerID, checking check: @escaping AccessCheck
  ) async throws -> NotificationTarget {
    try await changeTargets(checking: check) { try $0.removeNotificationTarget(id, of: user) }
  }

  public func removeSecret(
    _ secret: String, ofNotificationTarget id: NotificationTargetID, of user: OwnerID,
    checking check: @escaping AccessCheck
  ) async throws {
    try await changeTargets(checking: check) { try $0.removeSecret(secret, ofNotificationTarget: id, of: user) }
  }

  private func changeTargets<Value: Sendable>(
    checking check: @escaping AccessCheck, _ body: @escaping @Sendable (Tables) throws -> Value
  ) async throws -> Value {
    try await writeLists { tables in
      // First, because its lock serializes the changes of all servers: no access ends, no user is removed and no other target is
      // added before the commit.
      try tables.incrementVersion()
      try check(try tables.version - 1)
      return try body(tables)
    }
  }
}

extension ToDoError {
  /// A row of targets is malformed.
  static let malformedTargets = storeUnavailable(detail: "the stored notification targets are malformed")
}
