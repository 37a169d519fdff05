#if PostgreSQL
import CToDoLibPQ

/// The result of a statement. Rows and columns count from 0.
///
/// If a value is NULL although it must not be, or has an unexpected type or length, or does not exist,
/// `isMalformed` becomes true, and the value is 0, empty or `nil`. Callers check `isMalformed` after the last value.
package final class Rows {
  private let result: OpaquePointer
  private let types: [UInt32]
  /// The number of rows.
  package let count: Int
  /// Whether a value that was read does not have the expected form.
  package private(set) var isMalformed = false

  /// Creates the rows of a libpq result, which is released with them.
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

extension Rows {
  /// Returns an int8.
  package func int64(_ row: Int, _ column: Int) -> Int64 { require(optionalInt64(row, column), or: 0) }

  /// Returns an int8, or `nil` for NULL.
  package func optionalInt64(_ row: Int, _ column: Int) -> Int64? { integer(row, column, of: .int8) }

  /// Returns an int4.
  package func int32(_ row: Int, _ column: Int) -> Int32 { require(optionalInt32(row, column), or: 0) }

  /// Returns an int4, or `nil` for NULL.
  package func optionalInt32(_ row: Int, _ column: Int) -> Int32? { integer(row, column, of: .int4) }

  /// Returns an int2.
  package func int16(_ row: Int, _ column: Int) -> Int16 { require(optionalInt16(row, column), or: 0) }

  /// Returns an int2, or `nil` for NULL.
  package func optionalInt16(_ row: Int, _ column: Int) -> Int16? { integer(row, column, of: .int2) }

  /// Returns a bool.
  package func bool(_ row: Int, _ column: Int) -> Bool { require(optionalBool(row, column), or: false) }

  /// Returns a bool, or `nil` for NULL.
  package func optionalBool(_ row: Int, _ column: Int) -> Bool? {
    value(row, column, of: .bool, length: 1).map { $0[0] != 0 }
  }

  /// Returns a float8.
  package func double(_ row: Int, _ column: Int) -> Double { require(optionalDouble(row, column), or: 0) }

  /// Returns a float8, or `nil` for NULL.
  package func optionalDouble(_ row: Int, _ column: Int) -> Double? {
    (integer(row, column, of: .float8) as UInt64?).map(Double.init(bitPattern:))
  }

  /// Returns a text.
  package func text(_ row: Int, _ column: Int) -> String { require(optionalText(row, column), or: "") }

  /// Returns a text, or `nil` for NULL.
  package func optionalText(_ row: Int, _ column: Int) -> String? {
    value(row, column, of: .text).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a bytea.
  package func bytes(_ row: Int, _ column: Int) -> [UInt8] { require(optionalBytes(row, column), or: []) }

  /// Returns a bytea, or `nil` for NULL.
  package func optionalBytes(_ row: Int, _ column: Int) -> [UInt8]? {
    value(row, column, of: .bytea).map(Array.init)
  }

  /// Calls `body` with the bytes of a bytea, without copying them.
  @inline(__always)
  package func withBytes<Result, Failure: Error>(
    _ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(require(value(row, column, of: .bytea), or: UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  /// Returns the high and the low half of a uuid.
  package func uuid(_ row: Int, _ column: Int) -> (UInt64, UInt64) { require(optionalUUID(row, column), or: (0, 0)) }

  /// Returns the high and the low half of a uuid, or `nil` for NULL.
  package func optionalUUID(_ row: Int, _ column: Int) -> (UInt64, UInt64)? {
    value(row, column, of: .uuid, length: 16).map {
      (
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  @inline(__always)
  private func integer<Value: FixedWidthInteger>(_ row: Int, _ column: Int, of type: DataType) -> Value? {
    value(row, column, of: type, length: MemoryLayout<Value>.size).map {
      Value(bigEndian: $0.loadUnaligned(as: Value.self))
    }
  }
}
#endif
