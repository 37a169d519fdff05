#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoTestPostgreSQL

@testable import ToDoPostgreSQLStore

/// A new database of the tests' server, or a new schema in one of the databases that such tests share. A schema takes less
/// time.
struct StoreDatabase {
  let uri: String

  /// Several databases, because a migration waits for the others in its database.
  private static let shared = (0..<8).map { _ in Result { try SharedDatabase() } }
  private static let schemaCount = Atomic(0)

  /// - Parameters:
  ///   - isMigrated: whether the database has the current schema. Otherwise it is empty.
  ///   - isPrivate: whether no other test uses the database, and receives its notifications.
  init(isMigrated: Bool = true, isPrivate: Bool = false) throws {
    if isPrivate {
      uri = try PrivatePostgreSQL.run().makeDatabase()
    } else {
      let number = Self.schemaCount.add(1, ordering: .relaxed).newValue
      uri = try Self.shared[number % Self.shared.count].get().makeSchema("store_\(number)")
    }
    if isMigrated { try StoreSchema.migrate(try connection()) }
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
