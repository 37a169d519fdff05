import Glibc

extension String {
  /// Whether two texts have the same UTF-8. `==` also holds for canonically equivalent texts, such as K and the Kelvin sign.
  @inline(__always)
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.hasSameBytes(as: right) }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// The length of the texts' common prefix, in bytes of UTF-8.
  func commonByteCount(with other: String) -> Int {
    let count = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.commonCount(with: right) }
    }
    return (count ?? nil) ?? zip(utf8, other.utf8).prefix(while: ==).count
  }

  /// Whether the text contains the character NUL.
  var containsNUL: Bool {
    let found = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }
    return found ?? utf8.contains(0)
  }
}

extension UnsafeBufferPointer<UInt8> {
  @inline(__always)
  fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return count == 0 }
    // A copy of a long text has the same storage.
    return start == otherStart || memcmp(start, otherStart, count) == 0
  }

  /// The number of equal elements at the start. A loop over `zip` takes ten times as long.
  fileprivate func commonCount(with other: UnsafeBufferPointer<UInt8>) -> Int {
    let end = Swift.min(count, other.count)
    var index = 0
    while index < end, self[index] == other[index] { index += 1 }
    return index
  }
}
