import CToDoSQLite

/// A compiled statement, which can be run many times.
///
/// Like its connection, a statement is used by one thread at a time, and only while the connection lives. Parameters count from 1,
/// columns from 0. Parameters retain their values until they are bound again. Each run ends with a reset, so that no read
/// transaction stays open, and the statement can be run again, even after an error.
package final class Statement {
  /// The compiled statement; `nil` before the first use of a statement that is compiled later.
  private(set) var handle: OpaquePointer?
  /// The first error of a binding since the last run, or `SQLITE_OK`.
  private var bindingCode = SQLITE_OK
  /// The error of compiling a statement at its first use.
  private var compilationError: SQLiteError?
  /// The text and the connection of a statement that is not compiled yet.
  private var source: (sql: String, connection: SQLiteConnection)?

  /// Compiles the first statement of a text.
  ///
  /// - Throws: `SQLiteError`, also if the text contains no statement, or more than one.
  package init(_ sql: String, on connection: SQLiteConnection) throws {
    handle = try Self.compile(sql, on: connection)
  }

  /// Creates a statement that is compiled when it is used first. If that fails, that run throws, and the next one compiles
  /// it again.
  package init(compilingLater sql: String, on connection: SQLiteConnection) {
    source = (sql, connection)
  }

  /// Compiles the statement if this is its first use.
  @inline(__always)
  private func compileIfNeeded() {
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

  private static func compile(_ sql: String, on connection: SQLiteConnection) throws(SQLiteError) -> OpaquePointer {
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
  package convenience init(_ sql: String, on connection: SQLiteConnection, binding values: [any Bindable]) throws {
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

extension Statement {
  /// Makes SQLite copy bound values: SQLITE_TRANSIENT, a C macro that Swift does not import.
  private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// Binds an integer, or NULL.
  package func bind(_ number: Int64?, at parameter: Int32) {
    compileIfNeeded()
    if let number {
      note(sqlite3_bind_int64(handle, parameter, number))
    } else {
      note(sqlite3_bind_null(handle, parameter))
    }
  }

  /// Binds a floating-point number, or NULL. SQLite stores NaN as NULL.
  package func bind(_ number: Double?, at parameter: Int32) {
    compileIfNeeded()
    if let number {
      note(sqlite3_bind_double(handle, parameter, number))
    } else {
      note(sqlite3_bind_null(handle, parameter))
    }
  }

  /// Binds a text, or NULL. The text may be empty and may contain NUL.
  package func bind(_ text: String?, at parameter: Int32) {
    compileIfNeeded()
    guard var text else { return note(sqlite3_bind_null(handle, parameter)) }
    // The address is never null, even if the text is empty. SQLite would bind NULL for a null address.
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        note(
          sqlite3_bind_text64(
            handle, parameter, characters.baseAddress, UInt64(utf8.count), Self.copying, UInt8(SQLITE_UTF8)))
      }
    }
  }

  /// Binds a blob, which may be empty.
  package func bind(_ bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    compileIfNeeded()
    // An empty buffer may have no address, and SQLite would bind NULL.
    guard !bytes.isEmpty else { return note(sqlite3_bind_zeroblob(handle, parameter, 0)) }
    note(sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), Self.copying))
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK, bindingCode == SQLITE_OK { bindingCode = code }
  }
}

/// A value that can be bound to a parameter of a statement.
package protocol Bindable {
  /// Binds the value. If that fails, the statement's next run throws.
  func bind(to statement: Statement, at parameter: Int32)
}

extension Int64: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension Int: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(Int64(self), at: parameter) }
}

extension Double: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension Bool: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { (self ? 1 : 0).bind(to: statement, at: parameter) }
}

extension String: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension [UInt8]: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) {
    withUnsafeBytes { statement.bind($0, at: parameter) }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) {
    if let self {
      self.bind(to: statement, at: parameter)
    } else {
      statement.bind(nil as Int64?, at: parameter)
    }
  }
}

/// The columns of the current row. SQLite converts a value that has another type: https://www.sqlite.org/c3ref/column_blob.html
extension Statement {
  /// Returns an integer, or 0 for NULL.
  package func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns an integer, or `nil` for NULL.
  package func optionalNumber(_ column: Int32) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(handle, column)
  }

  /// Returns a floating-point number, or `nil` for NULL.
  package func optionalDouble(_ column: Int32) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(handle, column)
  }

  /// Returns a text, or an empty string for NULL.
  package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// Returns a text, or `nil` for NULL.
  package func optionalText(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: start, count: byteCount(column)), as: UTF8.self)
  }

  /// Calls `body` with the UTF-8 of a text without copying it, unless the text is NULL or empty.
  package func withUTF8(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    // Read as a blob, because SQLite copies a text to terminate it with NUL.
    guard let bytes = blob(column) else { return }
    bytes.withMemoryRebound(to: UInt8.self, body)
  }

  /// Returns the bytes of a blob, valid until the statement's next step, or `nil` for NULL and the empty blob.
  package func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    sqlite3_column_blob(handle, column).map { UnsafeRawBufferPointer(start: $0, count: byteCount(column)) }
  }

  /// Returns a copy of a blob, or `nil` for NULL.
  package func bytes(_ column: Int32) -> [UInt8]? {
    isNull(column) ? nil : blob(column).map(Array.init) ?? []
  }

  /// Returns the size of a text or a blob in bytes.
  package func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
}
