/// A text that is not hexadecimal.
private struct HexError: Error {
  let text: String
}

/// Bytes in hexadecimal notation. A `#` starts a comment that ends with its line.
package func hex(_ text: String) throws -> [UInt8] {
  let digits = text.split(whereSeparator: \.isNewline).flatMap { $0.prefix { $0 != "#" }.filter { !$0.isWhitespace } }
  guard digits.count.isMultiple(of: 2) else { throw HexError(text: text) }
  return try stride(from: 0, to: digits.count, by: 2).map { index in
    guard let byte = UInt8(String(digits[index...(index + 1)]), radix: 16) else { throw HexError(text: text) }
    return byte
  }
}
