extension UnsafeBufferPointer<UInt8> {
  /// Decodes the scalar beyond ASCII that begins at an index; `nil` if its form is not that of UTF-8.
  @inline(__always)
  func scalar(at index: Int) -> (value: UInt32, length: Int)? {
    let lead = UInt32(self[index])
    if lead & 0xE0 == 0xC0, lead >= 0xC2, index + 1 < count, self[index + 1] & 0xC0 == 0x80 {
      return ((lead & 0x1F) << 6 | UInt32(self[index + 1] & 0x3F), 2)
    }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead < 0xF5, index + length <= count else { return nil }
    var value = lead & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = UInt32(self[index + offset])
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | byte & 0x3F
    }
    return (value, length)
  }
}
