#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoTestPostgreSQL

@testable import ToDoPostgreSQLStore

/// A new database of the tests' server, or a new schema in a database that such tests share. A schema takes less
/// time.
struct StoreDatabase {
  let uri: String

  private static let shared = Result { try PrivatePostgreSQL.run().makeDatabase() }
  private static let schemaCount = Atomic(0)

  /// - Parameters:
  ///   - isMigrated: whether the database has the current schema. Otherwise it is empty.
  ///   - isPrivate: whether no other test uses the database, and receives its notifications.
  init(isMigrated: Bool = true, isPrivate: Bool = false) throws {
    if isPrivate {
      uri = try PrivatePostgreSQL.run().makeDatabase()
    } else {
      let name = "store_\(Self.schemaCount.add(1, ordering: .relaxed).newValue)"
      let shared = try Self.shared.get()
      try StoreConnection.open(shared, purpose: "test").execute("CREATE SCHEMA \(name)")
      uri = "\(shared)&options=-csearch_path%3D\(name)"
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

  /// Ends the sessions of all connections.
  func terminateConnections() throws { try PrivatePostgreSQL.run().terminateConnections(of: uri) }

  /// Returns the numbers of the first row of a query without parameters, whose columns are bigint.
  func numbers(_ query: String, count: Int = 1) throws -> [Int64?] {
    let rows = try connection().run(SQL(query))
    return rows.count == 0 ? [] : (0..<count).map { rows.optionalInt64(0, $0) }
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
