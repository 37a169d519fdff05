import GRDB
import GRDBSQLite
import ToDoModel

/// A statement that is compiled once and run many times, over SQLite's own interface.
///
/// GRDB opens and migrates databases, but its general rows and arguments add 10 µs to each item that is read or written. The
/// statements of requests therefore use SQLite's C interface.
///
/// A statement is used by one thread at a time, like its connection. Parameters count from 1, columns from 0. Each run ends
/// with a reset, so that no read transaction stays open.
final class PreparedStatement {
  private let handle: OpaquePointer
  /// The first error of a binding since the last run; `SQLITE_OK` if there is none.
  private var bindingCode = SQLITE_OK

  /// - Throws: `DatabaseError`.
  init(_ sql: String, on connection: OpaquePointer) throws {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs the statement to its end.
  ///
  /// - Throws: `DatabaseError`.
  func run() throws {
    try forEachRow { true }
  }

  /// Runs the statement up to its first row, and returns the result of `decode`, or `nil` if there is no row.
  func firstRow<Value>(_ decode: () throws -> Value) throws -> Value? {
    var first: Value?
    try forEachRow {
      first = try decode()
      return false
    }
    return first
  }

  /// Runs the statement row by row as long as `body` returns true.
  ///
  /// - Throws: `DatabaseError`, also if a parameter could not be bound, and the error of `body`.
  func forEachRow(_ body: () throws -> Bool) throws {
    guard bindingCode == SQLITE_OK else {
      defer { bindingCode = SQLITE_OK }
      throw DatabaseError(resultCode: ResultCode(rawValue: bindingCode))
    }
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: if try !body() { return }
      case SQLITE_DONE: return
      case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }
}

// MARK: - Parameters

extension PreparedStatement {
  /// Makes SQLite copy bound values: SQLITE_TRANSIENT, a C macro that Swift does not import.
  private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  func bind(_ number: Int64?, at parameter: Int32) {
    if let number {
      note(sqlite3_bind_int64(handle, parameter, number))
    } else {
      note(sqlite3_bind_null(handle, parameter))
    }
  }

  func bind(_ number: Double?, at parameter: Int32) {
    if let number {
      note(sqlite3_bind_double(handle, parameter, number))
    } else {
      note(sqlite3_bind_null(handle, parameter))
    }
  }

  func bind(_ text: String?, at parameter: Int32) {
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

  func bind(_ id: ItemID, at parameter: Int32) {
    withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { bind($0, at: parameter) }
  }

  func bind(_ bound: ItemScan.ItemBound, at parameter: Int32) {
    switch bound {
    case .beforeAll: note(sqlite3_bind_zeroblob(handle, parameter, 0))
    case .at(let id): bind(id, at: parameter)
    case .afterAll: bind([UInt8](repeating: 0xFF, count: 17), at: parameter)
    }
  }

  private func bind(_ bytes: [UInt8], at parameter: Int32) {
    bytes.withUnsafeBytes { bind($0, at: parameter) }
  }

  func bind(_ bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    note(sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), Self.copying))
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK, bindingCode == SQLITE_OK { bindingCode = code }
  }
}

// MARK: - Columns of the current row

extension PreparedStatement {
  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func optionalNumber(_ column: Int32) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(handle, column) }

  func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(handle, column) }

  /// Returns a text, or an empty string for NULL.
  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  func optionalText(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Calls `body` with the UTF-8 of a text without copying it, unless the text is NULL or empty.
  func withUTF8(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    // Read as a blob, because SQLite copies a text to terminate it with NUL.
    guard let start = sqlite3_column_blob(handle, column) else { return }
    let bytes = UnsafeRawBufferPointer(start: start, count: byteCount(column))
    bytes.withMemoryRebound(to: UInt8.self, body)
  }

  /// Returns the bytes of a blob, valid until the statement's next step, or `nil` for NULL and the empty blob.
  func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    sqlite3_column_blob(handle, column).map { UnsafeRawBufferPointer(start: $0, count: byteCount(column)) }
  }

  /// Returns the number of bytes of a text or a blob.
  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  /// Returns an item ID, or `nil` unless the value has 16 bytes.
  func id(_ column: Int32) -> ItemID? {
    guard let start = sqlite3_column_blob(handle, column), sqlite3_column_bytes(handle, column) == 16 else {
      return nil
    }
    let high = start.loadUnaligned(as: UInt64.self)
    let low = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return ItemID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
}
