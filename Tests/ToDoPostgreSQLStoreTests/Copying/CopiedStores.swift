#if PostgreSQL
import ToDoPostgreSQL
import ToDoSQLite
import ToDoTestSupport
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

/// A source with random contents and an empty target.
struct CopiedStores {
  let directory: TemporaryDirectory
  let database: StoreDatabase

  var source: String { directory.file("source.sqlite") }
  var target: String { directory.file("target.sqlite") }

  /// The error that interrupts a copy.
  struct Interruption: Error {}

  init() throws {
    directory = try TemporaryDirectory()
    database = try StoreDatabase(isMigrated: false)
  }

  /// Fills the file `source`.
  func fillSQLite(seed: UInt64 = 1, operations: Int = 600) async throws {
    let store = try SQLiteToDoItemStore(path: source, retention: RandomStore.retention)
    try await RandomStore.fill(store, seed: seed, operations: operations)
    await store.close()
    let accounts = try SQLiteAccountStore(path: source)
    try await Self.addAccounts(to: accounts)
    accounts.close()
  }

  /// Fills the database.
  func fillPostgreSQL(seed: UInt64 = 1, operations: Int = 600) async throws {
    let store = try PostgreSQLToDoItemStore(uri: database.uri, retention: RandomStore.retention)
    try await RandomStore.fill(store, seed: seed, operations: operations)
    await store.close()
    let accounts = try PostgreSQLAccountStore(uri: database.uri)
    try await Self.addAccounts(to: accounts)
    accounts.close()
  }

  private static func addAccounts(to store: some DatabaseAccountStore) async throws {
    for (number, name) in ["Work", "Büro"].enumerated() {
      _ = try await store.changeLists(of: User.sample("ann").list) { records in
        let list = NewList(id: ListID(high: 7, low: UInt64(number)), name: name, color: .pink)
        return try records.create(list, at: Timestamp(microseconds: 7), limit: 9)
      }
    }
    _ = try await store.changeLists(of: User.sample("ann").list) { records in
      try records.delete(
        ListID(high: 7, low: 1), at: Timestamp(microseconds: 8), restorableUntil: Timestamp(microseconds: 9))
    }
    try await store.addUser(.sample("ann", unixUser: 1000, certificate: "CN=ann"))
    try await store.addUser(.sample("bob"))
    for (user, role) in [("bob", ListRole.viewer), ("cat", .editor)] {
      if user != "bob" { try await store.addUser(.sample(user)) }
      _ = try await store.changeLists(of: User.sample("ann").list) { records in
        try records.share(
          ListID(high: 7, low: 0), with: .sample(user), as: role, by: .sample("ann"), at: Timestamp(microseconds: 8))
      }
    }
    for number in [1, UInt64.max] {
      try await store.addToken(
        AccessToken(
          id: AccessTokenID(number: number), user: .sample("ann"), secretHash: [UInt8](repeating: 7, count: 32),
          isReadOnly: number == 1, createdAt: Timestamp(microseconds: 5),
          expiresAt: number == 1 ? nil : Timestamp(microseconds: 9)))
    }
    _ = try await store.changeReminderStates(
      of: User.sample("ann").list, in: ListID(high: 7, low: 0), item: ItemID(high: 1, low: 2),
      at: Timestamp(microseconds: 1)
    ) { states in
      states = [
        Reminder(.before(seconds: 60), acknowledged: Timestamp(microseconds: 1)),
        Reminder(.arriving, acknowledged: Timestamp(microseconds: 2), snoozedUntil: Timestamp(microseconds: 3)),
      ]
    }
    for target in [NotificationTarget.sample(1), .sample(2, .webhook, secret: "whsec_1")] {
      try await store.addNotificationTarget(target, of: User.sample("ann").list)
    }
  }

  @discardableResult
  func moveToPostgreSQL(
    maximumRecords: Int = 1_000, report: @escaping (StoreCopy.Progress) throws -> Void = { _ in }
  ) throws -> StoreCopy.Result {
    let target = { try PostgreSQLCopyTarget(uri: database.uri) }
    var move = StoreCopy(from: try SQLiteCopySource(path: source), to: try target(), report: report)
    move.maximumRecords = maximumRecords
    return try move.run()
  }

  @discardableResult
  func moveToSQLite(
    maximumRecords: Int = 1_000, report: @escaping (StoreCopy.Progress) throws -> Void = { _ in }
  ) throws -> StoreCopy.Result {
    var move = StoreCopy(
      from: try PostgreSQLCopySource(uri: database.uri), to: try SQLiteCopyTarget(path: target), report: report)
    move.maximumRecords = maximumRecords
    return try move.run()
  }

  /// Runs statements on a database file.
  func execute(_ script: String, on path: String) throws {
    let connection = try SQLiteConnection(path: path)
    try connection.execute(script)
    try connection.close()
  }
}
#endif
