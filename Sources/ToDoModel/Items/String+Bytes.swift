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
}

extension UnsafeBufferPointer<UInt8> {
  @inline(__always)
  fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return count == 0 }
    // A copy of a long text has the same storage.
    return start == otherStart || memcmp(start, otherStart, count) == 0
  }
}
