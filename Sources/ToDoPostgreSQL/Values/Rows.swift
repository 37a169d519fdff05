#if PostgreSQL
import CToDoLibPQ

/// The result of a statement. Rows and columns count from 0.
///
/// If a value is NULL although it must not be, or has another type or length than expected, or does not exist,
/// `isMalformed` becomes true, and the value is 0, empty or `nil`. Callers check `isMalformed` after the last value.
package final class Rows {
  private let result: OpaquePointer
  private let types: [UInt32]
  /// The number of rows.
  package let count: Int
  /// Whether a value that was read has another form than expected.
  package private(set) var isMalformed = false

  /// Creates the rows of a result of libpq, which is released with them.
  init(_ result: OpaquePointer) {
    self.result = result
    count = Int(PQntuples(result))
    types = (0..<max(0, PQnfields(result))).map { PQftype(result, $0) }
  }

  deinit { PQclear(result) }

  /// The tag of the command, for example `UPDATE 3`.
  package var tag: String { String(cString: PQcmdStatus(result)) }

  /// The number of rows that the statement changed or returned; 0 if its command counts none.
  package var affectedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// - Throws: `PostgreSQLError.malformedResult` if `isMalformed`.
  package func checkIsWellFormed() throws(PostgreSQLError) {
    if isMalformed { throw .malformedResult }
  }

  /// Returns whether a value is NULL.
  package func isNull(_ row: Int, _ column: Int) -> Bool {
    guard contains(row, column) else {
      isMalformed = true
      return true
    }
    return PQgetisnull(result, Int32(row), Int32(column)) != 0
  }

  private func contains(_ row: Int, _ column: Int) -> Bool {
    row >= 0 && row < count && column >= 0 && column < types.count
  }

  /// Returns the bytes of a value, valid as long as the rows; `nil` for NULL, or if the value is malformed.
  ///
  /// - Parameter length: the length that the value must have; `nil` for any.
  @inline(__always)
  func value(
    _ row: Int, _ column: Int, of type: DataType, length: Int? = nil
  ) -> UnsafeRawBufferPointer? {
    guard contains(row, column), types[column] == type.rawValue || type == .text && isText(column) else {
      isMalformed = true
      return nil
    }
    guard PQgetisnull(result, Int32(row), Int32(column)) == 0 else { return nil }
    let count = Int(PQgetlength(result, Int32(row), Int32(column)))
    guard length == nil || length == count, let start = PQgetvalue(result, Int32(row), Int32(column)) else {
      isMalformed = true
      return nil
    }
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  private func isText(_ column: Int) -> Bool {
    switch DataType(rawValue: types[column]) {
    case .text, .name, .bpchar, .varchar: true
    default: false
    }
  }

  /// Returns a value, or `fallback` and sets `isMalformed` if there is none.
  @inline(__always)
  func require<Value>(_ value: Value?, or fallback: Value) -> Value {
    if let value { return value }
    isMalformed = true
    return fallback
  }
}
#endif
