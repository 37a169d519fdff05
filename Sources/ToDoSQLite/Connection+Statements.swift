import CToDoSQLite

extension Connection {
  /// Runs statements that have no parameters, and discards their rows.
  ///
  /// - Throws: `SQLiteError`. The statements before the failed one have taken effect.
  package func execute(_ script: String) throws {
    guard let handle else { throw SQLiteError(.misuse) }
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, of: handle, sql: script) }
  }

  /// Runs a statement to its end.
  ///
  /// - Throws: `SQLiteError`.
  package func run(_ sql: String, _ values: [any Bindable] = []) throws {
    try Statement(sql, on: self, binding: values).run()
  }

  /// Runs a statement to its end, and returns the results of `decode` for its rows.
  ///
  /// - Throws: `SQLiteError`, or the error of `decode`.
  package func rows<Row>(
    _ sql: String, _ values: [any Bindable] = [], decode: (Statement) throws -> Row
  ) throws -> [Row] {
    let statement = try Statement(sql, on: self, binding: values)
    var rows: [Row] = []
    try statement.forEachRow {
      rows.append(try decode(statement))
      return true
    }
    return rows
  }

  /// Returns the integer in the first column of a statement's first row; `nil` if there is no row, or for NULL.
  ///
  /// - Throws: `SQLiteError`.
  package func number(_ sql: String, _ values: [any Bindable] = []) throws -> Int64? {
    let statement = try Statement(sql, on: self, binding: values)
    return try statement.firstRow { statement.optionalNumber(0) } ?? nil
  }

  /// Returns the text in the first column of a statement's first row; `nil` if there is no row, or for NULL.
  ///
  /// - Throws: `SQLiteError`.
  package func text(_ sql: String, _ values: [any Bindable] = []) throws -> String? {
    let statement = try Statement(sql, on: self, binding: values)
    return try statement.firstRow { statement.optionalText(0) } ?? nil
  }
}

// MARK: - Transactions

/// The lock that a transaction takes at its beginning: https://www.sqlite.org/lang_transaction.html
package enum TransactionKind: String, Sendable {
  /// None. The first read takes the lock of a reader, and determines the moment that all reads see.
  case deferred = "DEFERRED"
  /// The lock of the writer.
  case immediate = "IMMEDIATE"
  /// A lock that excludes readers too, unless the database has a write-ahead log.
  case exclusive = "EXCLUSIVE"
}

extension Connection {
  /// Runs `body` in a transaction. Commits, or rolls back if `body` or the commit throws.
  ///
  /// - Throws: `SQLiteError`, also if a transaction is open, which is then unchanged; or the error of `body`.
  package func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
    try execute("BEGIN \(kind.rawValue)")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // If this fails too, the first error is the cause. Closing the connection rolls back as well.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }
}
