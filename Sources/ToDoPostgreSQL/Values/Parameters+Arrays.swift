#if PostgreSQL
/// Arrays with one dimension, whose elements may be NULL.
///
///     +------------+-----------+--------------+-------+---------------+
///     | dimensions | has NULLs | element type | count | lower bound 1 |   32 bits each; the last two are left out if
///     it is empty +------------+-----------+--------------+-------+---------------+
///     then, for each element, its length in 32 bits, or -1 for NULL, and its bytes
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

  /// - Parameter size: the expected number of bytes of an element.
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
