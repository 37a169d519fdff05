import Synchronization
public import ToDoModel
public import ToDoRules
import ToDoSQLite

/// A store of users and tokens, in the same database file as the items.
///
/// Several processes may use one file, so that users can be managed while a server runs.
public final class SQLiteAccountStore: AccountStore {
  /// The connections to the database. The account version has its own connection, so that reading it never waits for another
  /// operation.
  private struct Connections: Sendable {
    let main: SQLiteConnectionQueue
    let version: SQLiteConnectionQueue
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
    connections = Mutex(
      Connections(
        main: SQLiteConnectionQueue(main, label: "ToDoStores.Accounts"),
        version: SQLiteConnectionQueue(try file.openForReading(), label: "ToDoStores.AccountVersion")))
  }

  /// Waits until the running operations are complete, and closes the file. Later calls throw `ToDoError.storeUnavailable`.
  public func close() {
    let closed = connections.withLock { connections in
      defer { connections = nil }
      return connections
    }
    closed?.main.waitForCalls()
    closed?.version.waitForCalls()
  }

  public func users() async throws -> [User] {
    try await read { try User.all(in: $0) }
  }

  public func addUser(_ user: User) async throws {
    try await write { db in
      if let conflict = user.conflict(with: try User.all(in: db)) { throw conflict }
      try user.insert(into: db)
      // The first user ends access without credentials, and a Unix user with a list of its own ends its access to this one.
      return ((), endingAccessTo: OwnerID.local)
    }
  }

  public func removeUser(_ name: UserName) async throws -> User {
    try await write { db in
      let key = [name.description]
      let sql = "DELETE FROM user WHERE name = ? RETURNING \(User.columns)"
      guard let user = try db.rows(sql, key, decode: User.init(row:)).first else {
        throw AccountError.noSuchUser(name)
      }
      try db.run("DELETE FROM access_token WHERE user = ?", key)
      return (user, endingAccessTo: user.list)
    }
  }

  public func user(_ key: UserKey) async throws -> User? {
    try await read { db in
      switch key {
      case .name(let name): try User.all(in: db, "WHERE name = ?", [name.description])
      case .unixUser(let number): try User.all(in: db, "WHERE unix_user = ?", [Int64(number)])
      case .certificateSubject(let subject): try User.all(in: db, "WHERE certificate_subject = ?", [subject])
      }
    }.first
  }

  public func tokens() async throws -> [AccessToken] {
    try await read { try AccessToken.all(in: $0) }
  }

  public func addToken(_ token: AccessToken) async throws {
    try await write { db in
      let owner = try db.number("SELECT 1 FROM user WHERE name = ?", [token.user.description])
      guard owner != nil else { throw AccountError.noSuchUser(token.user) }
      try token.insert(into: db)
      return ((), endingAccessTo: nil)
    }
  }

  public func revokeToken(_ id: AccessTokenID) async throws {
    try await write { db in
      let sql = """
        DELETE FROM access_token WHERE id = ? RETURNING (SELECT list FROM user WHERE user.name = access_token.user)
        """
      let lists = try db.rows(sql, [Int64(bitPattern: id.number)]) { $0.optionalText(0).map { OwnerID($0) } }
      guard let list = lists.first else { throw AccountError.noSuchToken(id) }
      return ((), endingAccessTo: list)
    }
  }

  public func token(_ id: AccessTokenID) async throws -> AccessToken? {
    try await read {
      try AccessToken.all(in: $0, "WHERE id = ?", [Int64(bitPattern: id.number)]).first
    }
  }

  public func accounts() async throws -> Accounts {
    try await read { db in
      Accounts(
        version: try Self.accountVersion(db), users: try User.all(in: db),
        tokens: try AccessToken.all(in: db))
    }
  }

  public func accountVersion() async throws -> Int64 {
    try await read(on: \.version) { try Self.accountVersion($0) }
  }

  private static func accountVersion(_ db: SQLiteConnection) throws -> Int64 {
    let statement = try db.cachedStatement("SELECT version FROM account_version")
    return try statement.firstRow { statement.number(0) } ?? 0
  }

  /// Returns whether the database still has the schema of this program. If not, every write of this program fails.
  ///
  /// - Throws: `ToDoError.storeUnavailable`.
  public func isSchemaCurrent() async throws -> Bool {
    let expected = schemaVersion
    return try await read(on: \.version) { try $0.number("PRAGMA user_version") == Int64(expected) }
  }

  // MARK: Transactions

  private func openConnections() throws -> Connections {
    guard let connections = connections.withLock(\.self) else { throw ToDoError.storeClosed }
    return connections
  }

  private func read<Value: Sendable>(
    on connection: KeyPath<Connections, SQLiteConnectionQueue> = \.main,
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await translatingErrors { try await openConnections()[keyPath: connection].transaction(.deferred, body) }
  }

  /// Runs `body` outside of a transaction.
  func maintain<Value: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
    try await translatingErrors { try await openConnections().main.run(body) }
  }

  /// Runs `body` in a transaction, and increments the account version.
  ///
  /// - Parameter body: returns its value and the list to which it may have ended a caller's access. Later writes of callers
  ///   whose access was checked before check it again.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> (Value, endingAccessTo: OwnerID?)
  ) async throws -> Value {
    let expected = schemaVersion
    return try await translatingErrors {
      try await openConnections().main.transaction(.immediate) { db in
        guard try db.number("PRAGMA user_version") == Int64(expected) else { throw ToDoError.schemaChanged }
        let (value, list) = try body(db)
        try db.execute("UPDATE account_version SET version = version + 1")
        if let list { try Self.endAccess(to: list, db) }
        return value
      }
    }
  }

  /// Makes the writes of callers whose access was checked before the current account version check it again.
  ///
  /// A list without a row needs no mark, because its writes compare the account version itself.
  static func endAccess(to list: OwnerID, _ db: SQLiteConnection) throws {
    try db.run(
      "UPDATE owner SET access_version = (SELECT version FROM account_version) WHERE name = ?", [list.name])
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
  static let columns = "name, list, unix_user, certificate_subject, created_at"

  static func all(
    in db: SQLiteConnection, _ condition: String = "", _ values: [any Bindable] = []
  ) throws -> [User] {
    try db.rows("SELECT \(columns) FROM user \(condition) ORDER BY name", values, decode: User.init(row:))
  }

  fileprivate init(row: Statement) throws {
    guard let name = UserName(row.text(0)) else { throw SQLiteError(.corrupt) }
    self.init(
      name: name, list: OwnerID(row.text(1)), unixUser: row.optionalNumber(2).map { UInt32(truncatingIfNeeded: $0) },
      certificateSubject: row.optionalText(3), createdAt: Timestamp(microseconds: row.number(4)))
  }
}

extension AccessToken {
  static let columns = "id, user, secret_hash, read_only, created_at, expires_at"

  static func all(
    in db: SQLiteConnection, _ condition: String = "", _ values: [any Bindable] = []
  ) throws -> [AccessToken] {
    let sql = "SELECT \(columns) FROM access_token \(condition) ORDER BY created_at, id"
    return try db.rows(sql, values, decode: AccessToken.init(row:))
  }

  fileprivate init(row: Statement) throws {
    guard let user = UserName(row.text(1)) else { throw SQLiteError(.corrupt) }
    self.init(
      id: AccessTokenID(number: UInt64(bitPattern: row.number(0))), user: user, secretHash: row.bytes(2) ?? [],
      isReadOnly: row.number(3) != 0, createdAt: Timestamp(microseconds: row.number(4)),
      expiresAt: row.optionalNumber(5).map(Timestamp.init(microseconds:)))
  }
}

extension SQLiteAccountStore {
  /// Deletes a list's items, history, deleted IDs and pending lookups, and overwrites their data in the file.
  ///
  /// Each transaction deletes a bounded number of rows and is followed by a pause of the same length, so that other writers
  /// take turns with it. The list's revision stays and grows by one: clients and caches that know an earlier revision
  /// find nothing under it. Writes in flight whose callers' access was checked before are not made, so the list stays empty
  /// until a user is added with it again.
  ///
  /// - Returns: the number of deleted rows.
  /// - Throws: `ToDoError`. The rows deleted before the error stay deleted; another call deletes the rest.
  public func purgeList(_ list: OwnerID) async throws -> Int {
    try await purgeList(list, rowsPerTransaction: 100, clock: ContinuousClock())
  }

  /// - Parameter clock: measures the transactions and the pauses.
  func purgeList(_ list: OwnerID, rowsPerTransaction: Int, clock: any Clock<Duration>) async throws -> Int {
    guard let number = try await beginPurge(of: list) else { return 0 }
    let total = try await ListPurge.run(clock: clock) {
      try await maintain { try Self.purge(number, $0, limit: rowsPerTransaction) }
    }
    // The log still contains the old pages. If a reader blocks this checkpoint, a later one overwrites them.
    try await maintain { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return total
  }

  /// Raises the floor of the feed above every row that will be deleted.
  private func beginPurge(of list: OwnerID) async throws -> Int64? {
    try await maintain { db in
      try db.execute("PRAGMA secure_delete = ON")
      return try db.rows(
        """
        UPDATE owner SET (revision, floor, deletion, deletion_time, deletion_expiry, access_version)
          = (revision + 1, revision + 1, NULL, NULL, NULL, (SELECT version FROM account_version))
        WHERE name = ? RETURNING number
        """, [list.name]
      ) { $0.number(0) }.first
    }
  }

  /// Deletes rows of the first table that has any.
  ///
  /// - Returns: the number of deleted rows.
  private static func purge(_ number: Int64, _ db: SQLiteConnection, limit: Int) throws -> Int {
    try db.transaction(.immediate) {
      var count = 0
      for part in parts where count == 0 {
        let sizes = try db.rows(
          """
          DELETE FROM \(part.table) WHERE owner = ?1
            AND (\(part.key)) IN (SELECT \(part.key) FROM \(part.table) WHERE owner = ?1 LIMIT ?2) RETURNING \(part.size)
          """, [number, limit]
        ) { $0.number(0) }
        count = sizes.count
        // Keeps the list consistent for other connections after each step.
        try db.run(
          """
          UPDATE owner SET (revision, floor, item_count, byte_count)
            = (revision + 1, revision + 1, max(0, item_count - ?2), max(0, byte_count - ?3)) WHERE number = ?1
          """, [number, part.table == "item" ? count : 0, sizes.reduce(0, +)])
      }
      return count
    }
  }

  private static let parts = [
    (table: "past_change", key: "revision, id", size: ItemSQL.size), (table: "pending_lookup", key: "id", size: "0"),
    (table: "deleted_item", key: "id", size: ItemSQL.deletedSize),
    (table: "item", key: "number", size: ItemSQL.size),
  ]
}

extension User {
  /// Inserts the row of the user.
  func insert(into db: SQLiteConnection) throws {
    try db.run(
      "INSERT INTO user (\(Self.columns)) VALUES (?, ?, ?, ?, ?)",
      [
        name.description, list.name, unixUser.map(Int64.init), certificateSubject, createdAt.microseconds,
      ])
  }
}

extension AccessToken {
  /// Inserts the row of the token.
  func insert(into db: SQLiteConnection) throws {
    try db.run(
      "INSERT INTO access_token (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)",
      [
        Int64(bitPattern: id.number), user.description, secretHash, isReadOnly, createdAt.microseconds,
        expiresAt?.microseconds,
      ])
  }
}
