#if PostgreSQL
/// The schema of PostgreSQL databases, for programs that manage one.
public enum PostgreSQLSchema {
  /// The schema version that this program reads and writes.
  public static var currentVersion: Int { StoreSchema.currentVersion }

  /// Migrates a database to the current version, and creates the tables in an empty database. Waits for the server.
  ///
  /// The call makes no copy of the database.
  ///
  /// - Parameter uri: a connection URI or "key=value" text of libpq.
  /// - Returns: the version before; 0 for an empty database.
  /// - Throws: `PostgreSQLStoreError`.
  public static func migrate(uri: String) throws(PostgreSQLStoreError) -> Int {
    let connection = try StoreConnection.open(uri, purpose: "migration")
    let found = try StoreSchema.version(connection)
    try StoreSchema.migrate(connection)
    return found
  }
}
#endif
