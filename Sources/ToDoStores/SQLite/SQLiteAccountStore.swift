import Foundation
import GRDB
import Synchronization
public import ToDoModel

/// Keeps users and tokens in the database file of the items they belong to.
///
/// Several programs may use one file: so users are managed while a server runs.
public final class SQLiteAccountStore: AccountStore {
  /// `nil` once the store is closed: a database that is closed must not be touched again.
  private let queue: Mutex<DatabaseQueue?>

  /// Opens the database; makes it when there is none. Waits for the disk.
  ///
  /// - Throws: `SQLiteStoreError`.
  public init(path: String) throws {
    queue = Mutex(try DatabaseFile(path: path).open())
  }

  /// Closes the file once what has begun is done. Whatever is asked later is refused with `ToDoError.storeUnavailable`.
  public func close() {
    queue.withLock { $0 = nil }
  }

  public func users() async throws -> [User] {
    try await read { try User.fetchAll($0, "SELECT * FROM user ORDER BY name") }
  }

  public func addUser(_ user: User) async throws {
    try await write { db in
      if let conflict = user.conflict(with: try User.fetchAll(db, "SELECT * FROM user")) { throw conflict }
      try db.execute(
        sql: "INSERT INTO user (name, list, unix_user, certificate_subject, created_at) VALUES (?, ?, ?, ?, ?)",
        arguments: [
          user.name.description, user.list.name, user.unixUser, user.certificateSubject, user.createdAt.microseconds,
        ])
    }
  }

  public func removeUser(_ name: UserName) async throws -> User {
    try await write { db in
      let key: StatementArguments = [name.description]
      guard let user = try User.fetchAll(db, "DELETE FROM user WHERE name = ? RETURNING *", key).first else {
        throw AccountError.noSuchUser(name)
      }
      try db.execute(sql: "DELETE FROM access_token WHERE user = ?", arguments: key)
      return user
    }
  }

  public func user(_ key: UserKey) async throws -> User? {
    try await read { db in
      switch key {
      case .name(let name): try User.fetchAll(db, "SELECT * FROM user WHERE name = ?", [name.description])
      case .unixUser(let number): try User.fetchAll(db, "SELECT * FROM user WHERE unix_user = ?", [number])
      case .certificateSubject(let subject):
        try User.fetchAll(db, "SELECT * FROM user WHERE certificate_subject = ?", [subject])
      }
    }.first
  }

  public func tokens() async throws -> [AccessToken] {
    try await read { try AccessToken.fetchAll($0, "SELECT * FROM access_token ORDER BY created_at, id") }
  }

  public func addToken(_ token: AccessToken) async throws {
    try await write { db in
      let owners = try User.fetchAll(db, "SELECT * FROM user WHERE name = ?", [token.user.description])
      guard !owners.isEmpty else { throw AccountError.noSuchUser(token.user) }
      try db.execute(
        sql: """
          INSERT INTO access_token (id, user, secret_hash, read_only, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          Int64(bitPattern: token.id.number), token.user.description, Data(token.secretHash), token.isReadOnly,
          token.createdAt.microseconds, token.expiresAt?.microseconds,
        ])
    }
  }

  public func revokeToken(_ id: AccessTokenID) async throws {
    try await write { db in
      try db.execute(sql: "DELETE FROM access_token WHERE id = ?", arguments: [Int64(bitPattern: id.number)])
      guard db.changesCount > 0 else { throw AccountError.noSuchToken(id) }
    }
  }

  public func token(_ id: AccessTokenID) async throws -> AccessToken? {
    try await read {
      try AccessToken.fetchAll($0, "SELECT * FROM access_token WHERE id = ?", [Int64(bitPattern: id.number)]).first
    }
  }

  public func accountVersion() async throws -> Int64 {
    try await read { try Int64.fetchOne($0, sql: "SELECT version FROM account_version") ?? 0 }
  }

  // MARK: Transactions

  private func openQueue() throws -> DatabaseQueue {
    guard let queue = queue.withLock(\.self) else { throw ToDoError.storeClosed }
    return queue
  }

  private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await translatingErrors { try await openQueue().read(body) }
  }

  /// Every transaction that returns has changed something.
  private func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await translatingErrors {
      try await openQueue().write { db in
        let value = try body(db)
        try db.execute(sql: "UPDATE account_version SET version = version + 1")
        return value
      }
    }
  }

  private func translatingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error where error is AccountError || error is CancellationError {
      throw error
    } catch {
      throw ToDoError(error)
    }
  }
}

extension User {
  fileprivate static func fetchAll(
    _ db: Database, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [User] {
    try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
      guard let name = UserName(row["name"]) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      return User(
        name: name, list: OwnerID(row["list"]), unixUser: row["unix_user"],
        certificateSubject: row["certificate_subject"],
        createdAt: Timestamp(microseconds: row["created_at"]))
    }
  }
}

extension AccessToken {
  fileprivate static func fetchAll(
    _ db: Database, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [AccessToken] {
    try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
      guard let user = UserName(row["user"]) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      let expiry: Int64? = row["expires_at"]
      return AccessToken(
        id: AccessTokenID(number: UInt64(bitPattern: row["id"])), user: user,
        secretHash: Array(row["secret_hash"] as Data),
        isReadOnly: row["read_only"], createdAt: Timestamp(microseconds: row["created_at"]),
        expiresAt: expiry.map(Timestamp.init(microseconds:)))
    }
  }
}
