extension String {
  /// Whether two texts have the same UTF-8. `==` also holds for canonically equivalent texts, such as K and the Kelvin sign.
  @inline(__always)
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        // A copy of a long text has the same storage.
        left.count == right.count && (left.baseAddress == right.baseAddress || left.elementsEqual(right))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
