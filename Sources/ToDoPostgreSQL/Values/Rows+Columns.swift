#if PostgreSQL
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
