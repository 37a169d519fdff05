#if PostgreSQL
import ToDoPostgreSQL
package import ToDoStores

extension StoreCopy {
  /// Copies a database file to an empty PostgreSQL database. Waits for the disk and the server.
  ///
  /// - Parameters:
  ///   - path: the file, which no other process may use. It is only read.
  ///   - uri: a connection URI or "key=value" text of libpq.
  ///   - report: receives the progress. If it throws, the copy ends, and can be resumed.
  /// - Throws: `StoreCopyError`, `SQLiteStoreError`, `DatabaseMaintenanceError`, `PostgreSQLStoreError`, or the error
  ///   of `report`.
  package static func run(
    fromSQLite path: String, toPostgreSQL uri: String, report: @escaping (Progress) throws -> Void
  ) throws -> Result {
    try translatingErrors {
      let source = try SQLiteCopySource(path: path)
      return try StoreCopy(from: source, to: try PostgreSQLCopyTarget(uri: uri), report: report).run()
    }
  }

  /// Copies a PostgreSQL database to a new database file. Waits for the disk and the server.
  ///
  /// - Parameters:
  ///   - uri: a connection URI or "key=value" text of libpq. The database is only read.
  ///   - path: the file, which must not exist.
  ///   - report: receives the progress. If it throws, the copy ends, and can be resumed.
  /// - Throws: like `run(fromSQLite:toPostgreSQL:report:)`.
  package static func run(
    fromPostgreSQL uri: String, toSQLite path: String, report: @escaping (Progress) throws -> Void
  ) throws -> Result {
    try translatingErrors {
      let source = try PostgreSQLCopySource(uri: uri)
      return try StoreCopy(from: source, to: try SQLiteCopyTarget(path: path), report: report).run()
    }
  }

  private static func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try StoreCopyError.translatingErrors(body) } catch let error as PostgreSQLError {
      throw StoreCopyError.failed(reason: "the PostgreSQL database failed: \(error.message)")
    }
  }
}
#endif
