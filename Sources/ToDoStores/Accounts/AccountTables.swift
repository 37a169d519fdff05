package import ToDoModel
package import ToDoRules

/// The tables of users and tokens in a database.
package protocol AccountTables {
  associatedtype Row: AccountRow

  /// The statements in this database's form.
  static var sql: AccountSQL { get }

  /// The statements on lists in this database's form.
  static var listSQL: ListSQL { get }

  /// The statements on notification targets in this database's form.
  static var notificationSQL: NotificationSQL { get }

  /// The statements on reminder states in this database's form.
  static var reminderSQL: ReminderStateSQL { get }

  /// The number that grows with every change.
  var version: Int64 { get throws }

  /// Increments the account version.
  func incrementVersion() throws

  /// Makes the writes of callers whose access was checked before the current account version check it again: to a list, and if it
  /// is a user's default list, to all lists that the user can read.
  func endAccess(to list: OwnerID) throws

  /// Waits for the transactions that change the items of a list, and makes later ones wait for this transaction, whose changes they
  /// then see.
  func lockItems(of list: OwnerID) throws

  /// Runs a statement, and returns the results of `decode` for its rows. Throws if a value has another type.
  func rows<Value>(of statement: AccountStatement, decode: (Row) throws -> Value) throws -> [Value]
}

/// A row of users or tokens. Columns count from 0.
package protocol AccountRow {
  /// Returns a text, or `nil` for NULL.
  func optionalText(_ column: Int32) -> String?
  /// Returns an integer.
  func number(_ column: Int32) -> Int64
  /// Returns an integer, or `nil` for NULL.
  func optionalNumber(_ column: Int32) -> Int64?
  /// Returns a copy of bytes, or `nil` for NULL.
  func bytes(_ column: Int32) -> [UInt8]?
  /// Returns a Boolean.
  func flag(_ column: Int32) -> Bool
}

extension AccountTables {
  private var sql: AccountSQL { Self.sql }

  func users() throws -> [User] { try users(AccountStatement(sql.users)) }

  func user(_ key: UserKey) throws -> User? {
    let statement =
      switch key {
      case .name(let name): AccountStatement(sql.userByName, [.text(name.description)])
      case .unixUser(let number): AccountStatement(sql.userByUnixUser, [.number(Int64(number))])
      case .certificateSubject(let subject): AccountStatement(sql.userByCertificate, [.text(subject)])
      }
    return try users(statement).first
  }

  func users(withList list: OwnerID) throws -> [User] {
    try users(AccountStatement(sql.usersWithList, [.text(list.name)]))
  }

  /// - Throws: `AccountError` if another user has the name, the Unix user or the certificate's subject.
  func add(_ user: User) throws {
    let similar = AccountStatement(
      sql.similarUsers,
      [.text(user.name.description), .number(user.unixUser.map(Int64.init)), .text(user.certificateSubject)])
    if let conflict = user.conflict(with: try users(similar)) { throw conflict }
    try run(sql.insert(user))
  }

  /// Removes a user with all of the user's tokens, notification targets, memberships and invitations.
  func removeUser(_ name: UserName) throws -> User {
    let key = [AccountStatement.Value.text(name.description)]
    guard let user = try users(AccountStatement(sql.deleteUser, key)).first else { throw AccountError.noSuchUser(name) }
    try run(AccountStatement(sql.deleteTokensOfUser, key))
    // Users with the same default list have the same targets.
    if try users(withList: user.list).isEmpty {
      try removeNotificationTargets(of: user.list)
      try removeReminderStates(of: user.list)
    }
    // Locks all lists of the user in one order, so that writes to two of them and this change cannot wait for each other.
    try endAccess(to: user.list)
    try removeMemberships(of: name)
    return user
  }

  func tokens() throws -> [AccessToken] { try tokens(AccountStatement(sql.tokens)) }

  func token(_ id: AccessTokenID) throws -> AccessToken? {
    try tokens(AccountStatement(sql.token, [.number(Int64(bitPattern: id.number))])).first
  }

  func tokens(of user: UserName) throws -> [AccessToken] {
    try tokens(AccountStatement(sql.tokensOfUser, [.text(user.description)]))
  }

  func add(_ token: AccessToken) throws {
    guard try user(.name(token.user)) != nil else { throw AccountError.noSuchUser(token.user) }
    try run(sql.insert(token))
  }

  /// Returns the list of the token's user.
  func revokeToken(_ id: AccessTokenID) throws -> OwnerID? {
    let statement = AccountStatement(sql.deleteToken, [.number(Int64(bitPattern: id.number))])
    let lists = try rows(of: statement) { $0.optionalText(0).map { OwnerID($0) } }
    guard let list = lists.first else { throw AccountError.noSuchToken(id) }
    return list
  }

  /// Returns all users and tokens. They are of one moment if this runs in a transaction that reads one.
  package func accounts() throws -> Accounts {
    Accounts(version: try version, users: try users(), tokens: try tokens())
  }

  private func run(_ statement: AccountStatement) throws { _ = try rows(of: statement) { _ in } }

  private func users(_ statement: AccountStatement) throws -> [User] {
    try rows(of: statement) { row in
      guard let name = UserName(row.optionalText(0) ?? "") else { throw ToDoError.malformedAccounts }
      return User(
        name: name, list: OwnerID(row.optionalText(1) ?? ""),
        unixUser: row.optionalNumber(2).map { UInt32(truncatingIfNeeded: $0) },
        certificateSubject: row.optionalText(3), createdAt: Timestamp(microseconds: row.number(4)))
    }
  }

  private func tokens(_ statement: AccountStatement) throws -> [AccessToken] {
    try rows(of: statement) { row in
      guard let user = UserName(row.optionalText(1) ?? ""), let hash = row.bytes(2), hash.count == 32,
        let scope = AccessToken.Scope(storedText: row.optionalText(6))
      else {
        throw ToDoError.malformedAccounts
      }
      return AccessToken(
        id: AccessTokenID(number: UInt64(bitPattern: row.number(0))), user: user, secretHash: hash,
        isReadOnly: row.flag(3), scope: scope, createdAt: Timestamp(microseconds: row.number(4)),
        expiresAt: row.optionalNumber(5).map(Timestamp.init(microseconds:)))
    }
  }
}

extension ToDoError {
  /// A row of users or tokens is malformed.
  package static let malformedAccounts = storeUnavailable(detail: "the stored users or tokens are malformed")
}
