#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
public import ToDoRules
import ToDoStores

/// A store of users and tokens, in the same PostgreSQL database as the items.
///
/// Several servers and commands may use one database, so that users can be managed while servers run.
public final class PostgreSQLAccountStore: AccountStore {
  private let main: ConnectionWorker
  /// The connection for reading the account version and all accounts, which never waits for another operation: a server
  /// must learn of revoked tokens also while the other connection waits for a former primary.
  private let version: ConnectionWorker
  private let serverID: String
  private let fingerprintKey: [UInt8]

  /// Opens a database that has the current schema. A database with an older or newer schema is rejected unchanged.
  /// Waits for the server.
  ///
  /// A database that cannot be reached later makes operations fail, until it can be reached again.
  ///
  /// - Parameters:
  ///   - uri: a connection URI or "key=value" text of libpq.
  ///   - createsIfMissing: whether to create the tables if the database contains none.
  ///   - serverID: the ID with which changes are announced on the channel `todo_accounts`; by default a random ID.
  /// - Throws: `PostgreSQLStoreError`.
  public init(
    uri: String, createsIfMissing: Bool = false, serverID: String? = nil
  ) throws(PostgreSQLStoreError) {
    let connection = try StoreConnection.open(uri, purpose: "accounts")
    let isMissing = try StoreSchema.version(connection) == 0
    if isMissing, createsIfMissing { try StoreSchema.migrate(connection) }
    fingerprintKey = try StoreSchema.check(connection).fingerprintKeyBytes
    self.serverID = serverID ?? String(UInt64.random(in: 0 ... .max), radix: 16)
    main = ConnectionWorker(
      StoreConnection.settings(uri, purpose: "accounts"), label: "ToDoPostgreSQLStore.Accounts")
    version = ConnectionWorker(
      StoreConnection.settings(uri, purpose: "account version"), label: "ToDoPostgreSQLStore.AccountVersion")
  }

  /// Waits until the running operations are complete, and closes the connections. Later calls throw
  /// `ToDoError.storeUnavailable`.
  public func close() {
    main.close()
    version.close()
  }

  public func users() async throws -> [User] {
    try await run { try User.all(in: try $0.run(AccountSQL.users)) }
  }

  public func addUser(_ user: User) async throws {
    try await write { connection in
      let similar = try User.all(in: try connection.run(AccountSQL.similarUsers, user.keyParameters))
      if let conflict = user.conflict(with: similar) { throw conflict }
      _ = try connection.run(AccountSQL.insertUser, user.parameters)
      // The first user ends access without credentials, and a Unix user with a list of its own ends its access to
      // this one.
      return ((), endingAccessTo: OwnerID.local)
    }
  }

  public func removeUser(_ name: UserName) async throws -> User {
    try await write { connection in
      let key = Parameters.text(name.description)
      guard let user = try User.all(in: try connection.run(AccountSQL.deleteUser, key)).first else {
        throw AccountError.noSuchUser(name)
      }
      _ = try connection.run(AccountSQL.deleteTokensOfUser, key)
      return (user, endingAccessTo: user.list)
    }
  }

  public func user(_ key: UserKey) async throws -> User? {
    try await run { connection in
      let rows =
        switch key {
        case .name(let name): try connection.run(AccountSQL.userByName, .text(name.description))
        case .unixUser(let number): try connection.run(AccountSQL.userByUnixUser, .number(Int64(number)))
        case .certificateSubject(let subject): try connection.run(AccountSQL.userByCertificate, .text(subject))
        }
      return try User.all(in: rows).first
    }
  }

  public func tokens() async throws -> [AccessToken] {
    try await run { try AccessToken.all(in: try $0.run(AccountSQL.tokens)) }
  }

  public func addToken(_ token: AccessToken) async throws {
    try await write { connection in
      // The lock of the account version prevents that the user is removed before the commit.
      let user = try connection.run(AccountSQL.userByName, .text(token.user.description))
      guard user.count > 0 else { throw AccountError.noSuchUser(token.user) }
      _ = try connection.run(AccountSQL.insertToken, token.parameters)
      return ((), endingAccessTo: nil)
    }
  }

  public func revokeToken(_ id: AccessTokenID) async throws {
    try await write { connection in
      let deleted = try connection.run(AccountSQL.deleteToken, .number(Int64(bitPattern: id.number)))
      guard deleted.count > 0 else { throw AccountError.noSuchToken(id) }
      return ((), endingAccessTo: deleted.optionalText(0, 0).map { OwnerID($0) })
    }
  }

  public func token(_ id: AccessTokenID) async throws -> AccessToken? {
    try await run { connection in
      try AccessToken.all(in: try connection.run(AccountSQL.token, .number(Int64(bitPattern: id.number)))).first
    }
  }

  public func accounts() async throws -> Accounts {
    try await run(on: version) { connection in
      try StoreTransaction.perform(.reading, on: connection) {
        Accounts(
          version: try Self.number(connection, AccountSQL.version),
          users: try User.all(in: try connection.run(AccountSQL.users)),
          tokens: try AccessToken.all(in: try connection.run(AccountSQL.tokens)))
      }
    }
  }

  public func accountVersion() async throws -> Int64 {
    try await run(on: version) { try Self.number($0, AccountSQL.version) }
  }

  /// Returns whether the database still has the schema of this program and the store that was opened. If not, every
  /// write of a server fails.
  ///
  /// - Throws: `ToDoError.storeUnavailable`.
  public func isSchemaCurrent() async throws -> Bool {
    try await run(on: version) { [fingerprintKey] connection in
      var parameters = Parameters()
      parameters.append(bytes: fingerprintKey)
      let rows = try connection.run(AccountSQL.schemaVersion, parameters)
      guard rows.count == 1 else { throw ToDoError.malformedAccounts }
      return !rows.isNull(0, 0) && rows.int32(0, 0) == Int32(StoreSchema.currentVersion)
    }
  }

  // MARK: Transactions

  /// Runs `body` outside of a transaction.
  func run<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
    try await run(on: main, body)
  }

  private func run<Value: Sendable>(
    on worker: ConnectionWorker, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    do {
      return try await worker.run(body)
    } catch let error where error is AccountError || error is CancellationError {
      throw error
    } catch {
      throw ToDoError(postgreSQL: error)
    }
  }

  /// Runs `body` in a transaction, increments the account version, and notifies all servers.
  ///
  /// - Parameter body: returns its value and the list to which it may have ended a caller's access.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> (Value, endingAccessTo: OwnerID?)
  ) async throws -> Value {
    try await run { [serverID] connection in
      try StoreTransaction.perform(on: connection) {
        var schema = Parameters()
        schema.append(Int32(StoreSchema.currentVersion))
        // First, because its lock serializes the changes of all servers.
        let incremented = try connection.run(AccountSQL.incrementVersion, schema)
        guard incremented.affectedCount == 1 else { throw Self.schemaChanged }
        let (value, list) = try body(connection)
        if let list { _ = try connection.run(AccountSQL.endAccess, .text(list.name)) }
        _ = try connection.run(AccountSQL.notify, .text(serverID))
        return value
      }
    }
  }

  private static let schemaChanged = ToDoError.storeUnavailable(
    detail: "another version of this program has migrated the database")

  private static func number(_ connection: Connection, _ statement: SQL) throws -> Int64 {
    let rows = try connection.run(statement)
    guard rows.count == 1 else { throw ToDoError.malformedAccounts }
    let number = rows.int64(0, 0)
    if rows.isMalformed { throw ToDoError.malformedAccounts }
    return number
  }
}
#endif
