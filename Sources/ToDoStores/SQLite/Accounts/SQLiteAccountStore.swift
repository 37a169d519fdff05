import Foundation
import GRDB
import Synchronization
import ToDoModel
public import ToDoRules

/// A store of users and tokens, in the same database file as the items.
///
/// Several processes may use one file, so that users can be managed while a server runs.
public final class SQLiteAccountStore: AccountStore {
  /// The connections to the database. The account version has its own connection, so that reading it never waits for another
  /// operation.
  private struct Connections: Sendable {
    let main: DatabaseQueue
    let version: DatabaseQueue
  }

  /// `nil` once the store is closed, because a closed database must not be used.
  private let connections: Mutex<Connections?>
  private let schemaVersion: Int

  /// Opens a database that has the current schema. An older or newer database is rejected unchanged. Waits for the disk.
  ///
  /// - Parameter createsIfMissing: whether to create a database if there is no file.
  /// - Throws: `SQLiteStoreError`.
  public convenience init(path: String, createsIfMissing: Bool = false) throws {
    try self.init(DatabaseFile(path: path), createsIfMissing: createsIfMissing)
  }

  init(_ file: DatabaseFile, createsIfMissing: Bool) throws {
    schemaVersion = file.migrations.count
    let main = createsIfMissing && !file.exists ? try file.open() : try file.openCurrent()
    connections = Mutex(Connections(main: main, version: try file.openForReading()))
  }

  /// Closes the file once the running operations are complete. Later calls throw `ToDoError.storeUnavailable`.
  public func close() {
    connections.withLock { $0 = nil }
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

  public func accounts() async throws -> Accounts {
    try await read { db in
      Accounts(
        version: try Self.accountVersion(db), users: try User.fetchAll(db, "SELECT * FROM user ORDER BY name"),
        tokens: try AccessToken.fetchAll(db, "SELECT * FROM access_token ORDER BY created_at, id"))
    }
  }

  public func accountVersion() async throws -> Int64 {
    try await read(on: \.version) { try Self.accountVersion($0) }
  }

  private static func accountVersion(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT version FROM account_version")) ?? 0
  }

  /// Returns whether the database still has the schema of this program. If not, every write of this program fails.
  ///
  /// - Throws: `ToDoError.storeUnavailable`.
  public func isSchemaCurrent() async throws -> Bool {
    let expected = schemaVersion
    return try await read(on: \.version) { try Int.fetchOne($0, sql: "PRAGMA user_version") == expected }
  }

  // MARK: Transactions

  private func openConnections() throws -> Connections {
    guard let connections = connections.withLock(\.self) else { throw ToDoError.storeClosed }
    return connections
  }

  private func read<Value: Sendable>(
    on connection: KeyPath<Connections, DatabaseQueue> = \.main,
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await translatingErrors { try await openConnections()[keyPath: connection].read(body) }
  }

  /// Runs `body` outside of a transaction.
  func maintain<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await translatingErrors { try await openConnections().main.writeWithoutTransaction(body) }
  }

  /// Runs `body` in a transaction, and increments the account version.
  private func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    let expected = schemaVersion
    return try await translatingErrors {
      try await openConnections().main.write { db in
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == expected else { throw ToDoError.schemaChanged }
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
