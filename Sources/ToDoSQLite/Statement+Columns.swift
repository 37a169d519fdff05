import CToDoSQLite

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

  /// Returns the number of bytes of a text or a blob.
  package func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
}
