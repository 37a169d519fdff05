#if PostgreSQL
/// The values of a statement's parameters, in their order and in binary form. `nil` is NULL.
///
/// A text must not contain NUL, which PostgreSQL rejects.
package struct Parameters: Sendable {
  /// The maximum length of a value that PostgreSQL accepts.
  private static let maximumLength = 0x3fff_ffff

  /// The object IDs of the types.
  private(set) var types: [UInt32] = []
  /// Whether a value is too long.
  private(set) var isTooLong = false
  private var bytes: [UInt8] = []
  /// The position of each value in `bytes`; `nil` for NULL.
  private var starts: [Int?] = []
  private var lengths: [Int32] = []

  /// Creates values of no parameters.
  package init() {}

  /// Appends an int8.
  package mutating func append(_ value: Int64?) { append(.int8, value) { $0.append(bigEndian: $1) } }

  /// Appends an int4.
  package mutating func append(_ value: Int32?) { append(.int4, value) { $0.append(bigEndian: $1) } }

  /// Appends an int2.
  package mutating func append(_ value: Int16?) { append(.int2, value) { $0.append(bigEndian: $1) } }

  /// Appends a bool.
  package mutating func append(_ value: Bool?) { append(.bool, value) { $0.append($1 ? 1 : 0) } }

  /// Appends a float8.
  package mutating func append(_ value: Double?) { append(.float8, value) { $0.append(bigEndian: $1.bitPattern) } }

  /// Appends a text.
  package mutating func append(_ value: String?) { append(.text, value) { $0.append(utf8Of: $1) } }

  /// Appends a bytea.
  package mutating func append(bytes value: [UInt8]?) { append(.bytea, value) { $0.append(contentsOf: $1) } }

  /// Appends a uuid of its high and its low half.
  package mutating func append(uuid value: (UInt64, UInt64)?) { append(.uuid, value) { $0.append(uuid: $1) } }

  @inline(__always)
  private mutating func append<Value>(
    _ type: DataType, _ value: Value?, _ encode: (inout [UInt8], Value) -> Void
  ) {
    append(type: type.rawValue, isNull: value == nil) { bytes in
      if let value { encode(&bytes, value) }
    }
  }

  @inline(__always)
  mutating func append(type: UInt32, isNull: Bool, _ encode: (inout [UInt8]) -> Void) {
    let start = bytes.count
    encode(&bytes)
    let length = bytes.count - start
    if length > Self.maximumLength { isTooLong = true }
    types.append(type)
    starts.append(isNull ? nil : start)
    lengths.append(Int32(truncatingIfNeeded: length))
  }

  /// Calls `body` with the values, their lengths and their formats, as libpq expects them.
  func withPointers<Result>(
    _ body: ([UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> Result
  ) -> Result {
    // The address of an empty value must not be null, which means NULL.
    let padded = bytes.isEmpty ? [0] : bytes
    return padded.withUnsafeBytes { buffer in
      let characters = buffer.assumingMemoryBound(to: CChar.self)
      let pointers = starts.map { start in start.flatMap { characters.baseAddress?.advanced(by: $0) } }
      return body(pointers, lengths, Array(repeating: 1, count: lengths.count))
    }
  }
}

extension [UInt8] {
  /// Appends an integer with its most significant byte first.
  @inline(__always)
  mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  mutating func append(utf8Of text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  mutating func append(uuid: (UInt64, UInt64)) {
    append(bigEndian: uuid.0)
    append(bigEndian: uuid.1)
  }
}

/// Arrays with one dimension, whose elements may be NULL.
///
///     +------------+-----------+--------------+-------+---------------+
///     | dimensions | has NULLs | element type | count | lower bound 1 |   32 bits each
///     +------------+-----------+--------------+-------+---------------+
///
/// An empty array has neither of the last two. Each element follows as its length in 32 bits, or -1 for NULL, and its bytes.
extension Parameters {
  /// Appends an array of int8.
  package mutating func append(array: [Int64?]) { append(array, of: .int8, size: 8) { $0.append(bigEndian: $1) } }

  /// Appends an array of int4.
  package mutating func append(array: [Int32?]) { append(array, of: .int4, size: 4) { $0.append(bigEndian: $1) } }

  /// Appends an array of int2.
  package mutating func append(array: [Int16?]) { append(array, of: .int2, size: 2) { $0.append(bigEndian: $1) } }

  /// Appends an array of bool.
  package mutating func append(array: [Bool?]) { append(array, of: .bool, size: 1) { $0.append($1 ? 1 : 0) } }

  /// Appends an array of float8.
  package mutating func append(array: [Double?]) {
    append(array, of: .float8, size: 8) { $0.append(bigEndian: $1.bitPattern) }
  }

  /// Appends an array of text.
  package mutating func append(array: [String?]) {
    append(array, of: .text, size: 16) { $0.append(utf8Of: $1) }
  }

  /// Appends an array of bytea.
  package mutating func append(array: [[UInt8]?]) {
    append(array, of: .bytea, size: 64) { $0.append(contentsOf: $1) }
  }

  /// Appends an array of uuid, each of its high and its low half.
  package mutating func append(array: [(UInt64, UInt64)?]) {
    append(array, of: .uuid, size: 16) { $0.append(uuid: $1) }
  }

  /// - Parameter size: the expected size of an element, in bytes.
  @inline(__always)
  private mutating func append<Element>(
    _ array: [Element?], of type: DataType, size: Int, _ encode: (inout [UInt8], Element) -> Void
  ) {
    append(type: type.arrayID, isNull: false) { bytes in
      bytes.reserve(20 + array.count * (4 + size))
      bytes.append(bigEndian: Int32(array.isEmpty ? 0 : 1))
      bytes.append(bigEndian: Int32(array.contains { $0 == nil } ? 1 : 0))
      bytes.append(bigEndian: type.rawValue)
      guard !array.isEmpty else { return }
      bytes.append(bigEndian: Int32(truncatingIfNeeded: array.count))
      bytes.append(bigEndian: Int32(1))
      for element in array {
        let start = bytes.count
        bytes.append(bigEndian: Int32(-1))
        guard let element else { continue }
        encode(&bytes, element)
        bytes.setLength(bytes.count - start - 4, at: start)
      }
    }
  }
}

extension [UInt8] {
  /// Reserves space for more bytes. The capacity grows geometrically.
  fileprivate mutating func reserve(_ additionalCount: Int) {
    if capacity < count + additionalCount { reserveCapacity(Swift.max(count + additionalCount, capacity * 2)) }
  }

  @inline(__always)
  fileprivate mutating func setLength(_ length: Int, at start: Int) {
    withUnsafeMutableBytes {
      $0.storeBytes(of: Int32(truncatingIfNeeded: length).bigEndian, toByteOffset: start, as: Int32.self)
    }
  }
}
#endif
