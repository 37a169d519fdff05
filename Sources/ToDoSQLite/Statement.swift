import CToDoSQLite

/// A compiled statement, which can be run many times.
///
/// A statement is used by one thread at a time, like its connection, and only while that lives. Parameters count from 1,
/// columns from 0. Parameters retain their values until they are bound again. Each run ends with a reset, so that no read
/// transaction stays open, and the statement can be run again, also after an error.
package final class Statement {
  /// The compiled statement; `nil` before the first use of a statement that is compiled later.
  private(set) var handle: OpaquePointer?
  /// The first error of a binding since the last run, or `SQLITE_OK`.
  var bindingCode = SQLITE_OK
  /// The error of compiling a statement at its first use.
  private var compilationError: SQLiteError?
  /// What a statement that is not compiled yet is compiled from.
  private var source: (sql: String, connection: Connection)?

  /// Compiles the first statement of a text.
  ///
  /// - Throws: `SQLiteError`, also if the text contains no statement, or more than one.
  package init(_ sql: String, on connection: Connection) throws {
    handle = try Self.compile(sql, on: connection)
  }

  /// Creates a statement that is compiled when it is used first. If that fails, that run throws, and the next one compiles
  /// it again.
  package init(compilingLater sql: String, on connection: Connection) {
    source = (sql, connection)
  }

  /// Compiles the statement if this is its first use.
  @inline(__always)
  func compileIfNeeded() {
    if handle == nil { compileNow() }
  }

  private func compileNow() {
    guard let source else { return }
    do {
      handle = try Self.compile(source.sql, on: source.connection)
      self.source = nil
    } catch {
      compilationError = error
    }
  }

  private static func compile(_ sql: String, on connection: Connection) throws(SQLiteError) -> OpaquePointer {
    guard let database = connection.handle else { throw SQLiteError(.misuse) }
    var handle: OpaquePointer?
    var hasMore = false
    let code = sql.withCString { start in
      var end: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(database, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &end)
      while let next = end?.pointee, UInt8(bitPattern: next).isSpaceOrSemicolon { end = end?.successor() }
      hasMore = end.map { $0.pointee != 0 } ?? false
      return code
    }
    guard code == SQLITE_OK else { throw SQLiteError(code, of: database, sql: sql) }
    guard let handle, !hasMore else {
      sqlite3_finalize(handle)
      throw SQLiteError(.misuse, message: "the text does not contain exactly one statement", sql: sql)
    }
    return handle
  }

  /// Compiles a statement, and binds its parameters in their order.
  ///
  /// - Throws: like `init(_:on:)`. A value that cannot be bound makes the first run throw.
  package convenience init(_ sql: String, on connection: Connection, binding values: [any Bindable]) throws {
    try self.init(sql, on: connection)
    for (index, value) in values.enumerated() { value.bind(to: self, at: Int32(index + 1)) }
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs the statement to its end.
  ///
  /// - Throws: `SQLiteError`.
  package func run() throws {
    defer { reset() }
    while try step() {}
  }

  /// Runs the statement up to its first row, and returns the result of `decode`, or `nil` if there is no row.
  ///
  /// - Throws: `SQLiteError`, or the error of `decode`.
  @inlinable
  package func firstRow<Value>(_ decode: () throws -> Value) throws -> Value? {
    defer { reset() }
    return try step() ? try decode() : nil
  }

  /// Runs the statement row by row as long as `body` returns true.
  ///
  /// - Throws: `SQLiteError`, also if a parameter could not be bound, or the error of `body`.
  @inlinable
  package func forEachRow(_ body: () throws -> Bool) throws {
    defer { reset() }
    while try step() { if try !body() { return } }
  }

  /// Advances to the next row.
  ///
  /// - Returns: false if there are no more rows.
  @usableFromInline
  func step() throws -> Bool {
    compileIfNeeded()
    if let compilationError { throw compilationError }
    guard bindingCode == SQLITE_OK else { throw error(bindingCode) }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  /// Ends a run.
  @usableFromInline
  func reset() {
    bindingCode = SQLITE_OK
    compilationError = nil
    sqlite3_reset(handle)
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code, of: sqlite3_db_handle(handle), sql: sqlite3_sql(handle).map { String(cString: $0) })
  }
}

extension UInt8 {
  fileprivate var isSpaceOrSemicolon: Bool {
    self == UInt8(ascii: ";") || self == UInt8(ascii: " ") || (9...13).contains(self)
  }
}
