#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoTestPostgreSQL

@testable import ToDoPostgreSQLStore

/// A new database of the tests' server, or a new schema in one of the databases that such tests share. A schema takes less
/// time.
struct StoreDatabase: Sendable {
  let uri: String
  private let schema: (database: SharedDatabase, name: String)?

  /// Several databases, because a migration waits for the others in its database.
  private static let shared = (0..<8).map { _ in Result { try SharedDatabase() } }
  private static let schemaCount = Atomic(0)
  /// Empty databases with the current schema, which tests have used before.
  private static let emptied = Mutex<[StoreDatabase]>([])

  /// - Parameters:
  ///   - isMigrated: whether the database has the current schema. Otherwise it is empty.
  ///   - isPrivate: whether no other test uses the database, and receives its notifications.
  init(isMigrated: Bool = true, isPrivate: Bool = false) throws {
    if isPrivate {
      uri = try PrivatePostgreSQL.run().makeDatabase()
      schema = nil
    } else {
      let number = Self.schemaCount.add(1, ordering: .relaxed).newValue
      let (database, name) = (try Self.shared[number % Self.shared.count].get(), "store_\(number)")
      uri = try database.makeSchema(name)
      schema = (database, name)
    }
    if isMigrated { try StoreSchema.migrate(try connection()) }
  }

  /// Calls `body` with an empty database that has the current schema. If it succeeds, the database is emptied for the next call,
  /// which takes less time than to migrate another one.
  static func withEmptied(_ body: (StoreDatabase) async throws -> Void) async throws {
    let database = try emptied.withLock { $0.popLast() } ?? StoreDatabase()
    try await body(database)
    if let (shared, name) = database.schema { try shared.emptySchema(name) }
    emptied.withLock { $0.append(database) }
  }

  func connection() throws -> PostgreSQLConnection {
    let connection = try StoreConnection.open(uri, purpose: "test")
    // A busy machine is no failure.
    connection.timeout = .seconds(60)
    return connection
  }

  func execute(_ script: String) throws { try connection().execute(script) }

  /// Sets whether new connections can be made to the database, which is private.
  func setAllowsConnections(_ allows: Bool) throws {
    let name = uri.split(separator: "?")[0].split(separator: "/").last ?? ""
    try PrivatePostgreSQL.run().connection().execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS \(allows)")
  }

  /// Ends the sessions of all connections.
  func terminateConnections() throws { try PrivatePostgreSQL.run().terminateConnections(of: uri) }

  /// Returns the numbers of the first row of a query without parameters, whose columns are bigint.
  func numbers(_ query: String, count: Int = 1) throws -> [Int64?] {
    let rows = try connection().run(SQL(query))
    return rows.count == 0 ? [] : (0..<count).map { rows.optionalInt64(0, $0) }
  }
}

/// A database in which tests have schemas of their own.
private final class SharedDatabase: Sendable {
  private let uri: String
  private let connection: Mutex<PostgreSQLConnection>

  init() throws {
    uri = try PrivatePostgreSQL.run().makeDatabase()
    let connection = try StoreConnection.open(uri, purpose: "test")
    connection.timeout = .seconds(60)
    self.connection = Mutex(connection)
  }

  /// Creates a schema, and returns the URI of connections that use it.
  func makeSchema(_ name: String) throws -> String {
    try connection.withLock { try $0.execute("CREATE SCHEMA \(name)") }
    return "\(uri)&options=-csearch_path%3D\(name)"
  }

  /// Removes all rows of a schema, but keeps what identifies its database.
  func emptySchema(_ name: String) throws {
    let tables = [
      "list", "item", "change", "pending_lookup", "todo_user", "access_token", "user_list", "list_set", "list_member",
      "notification_target", "reminder_state",
    ]
    let deletions = tables.map { "DELETE FROM \(name).\($0);" }.joined()
    try connection.withLock {
      try $0.execute("\(deletions) UPDATE \(name).todo_store SET account_version = 0, list_version = 0")
    }
  }
}

extension PostgreSQLConnection {
  /// Collects the statistics of the schema's tables. `ANALYZE` alone would also wait for the tables of other tests, which are
  /// in the same database.
  func analyzeSchema() throws {
    try execute(
      """
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
          EXECUTE 'ANALYZE ' || quote_ident(name);
        END LOOP;
      END $$
      """)
  }
}
#endif
