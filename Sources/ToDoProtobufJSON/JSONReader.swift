/// Reads the tokens of a JSON text (RFC 8259) in place.
struct JSONReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  private(set) var offset = 0

  /// - Throws: an error if the text is not valid UTF-8, or begins with a byte order mark.
  init(_ bytes: UnsafeRawBufferPointer) throws(MessageJSONError) {
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
      throw MessageJSONError(reason: "begins with a byte order mark")
    }
    guard bytes.isValidUTF8 else { throw MessageJSONError(reason: "isn't valid UTF-8") }
    self.bytes = bytes
  }

  // MARK: - Punctuation

  /// The first byte of the next token, or `nil` at the end.
  mutating func peek() -> UInt8? {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Skips a byte of punctuation if it is the next token.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: byte) else { return false }
    offset += 1
    return true
  }

  /// Skips the start of an object or array. Returns whether it has a first member or element.
  mutating func open(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ name: StaticString)
    throws(MessageJSONError) -> Bool
  {
    guard skip(opening) else { throw .expected(name, at: offset) }
    return !skip(closing)
  }

  /// Skips the comma or bracket after a member or element. Returns whether there is a next one.
  mutating func hasNext(before closing: Unicode.Scalar) throws(MessageJSONError) -> Bool {
    if skip(",") { return true }
    guard skip(closing) else { throw .expected(closing == "}" ? "',' or '}'" : "',' or ']'", at: offset) }
    return false
  }

  /// Reads the name of a member, and skips the colon.
  mutating func name() throws(MessageJSONError) -> JSONString {
    guard peek() == UInt8(ascii: "\"") else { throw .expected("the name of a member", at: offset) }
    let name = try string()
    guard skip(":") else { throw .expected("':'", at: offset) }
    return name
  }

  /// Checks that nothing follows.
  mutating func end() throws(MessageJSONError) {
    guard peek() == nil else { throw .expected("the end of the text", at: offset) }
  }

  // MARK: - Values

  /// Skips a literal such as `null` if it is the next token.
  mutating func skip(literal: StaticString) -> Bool {
    guard peek() == literal.utf8Start[0], bytes.count - offset >= literal.utf8CodeUnitCount else { return false }
    for index in 0..<literal.utf8CodeUnitCount where bytes[offset + index] != literal.utf8Start[index] { return false }
    offset += literal.utf8CodeUnitCount
    return true
  }

  mutating func bool() throws(MessageJSONError) -> Bool {
    if skip(literal: "true") { return true }
    guard skip(literal: "false") else { throw .expected("true or false", at: offset) }
    return false
  }

  /// Reads a string.
  mutating func string() throws(MessageJSONError) -> JSONString {
    guard skip("\"") else { throw .expected("a string", at: offset) }
    let start = offset
    var hasEscapes = false
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return JSONString(
          content: UnsafeRawBufferPointer(rebasing: bytes[start..<(offset - 1)]), hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try skipEscape()
      case 0..<0x20: throw .expected("an escape instead of a control character", at: offset)
      default: offset += 1
      }
    }
    throw .expected("'\"'", at: offset)
  }

  private mutating func skipEscape() throws(MessageJSONError) {
    guard let (_, length) = JSONEscape.decode(bytes, at: offset) else {
      throw .expected("a valid escape", at: offset)
    }
    offset += length
  }

  /// Reads a number.
  mutating func number() throws(MessageJSONError) -> JSONNumber {
    _ = peek()
    let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
    guard let number = JSONNumber(prefixOf: rest) else { throw .expected("a number", at: offset) }
    offset += number.text.count
    return number
  }

  /// Skips a value of any kind.
  ///
  /// - Parameter depth: the number of objects and arrays that may contain each other.
  mutating func skipValue(depth: Int) throws(MessageJSONError) {
    switch peek() {
    case UInt8(ascii: "{"):
      guard depth > 0 else { throw .tooDeep }
      guard try open("{", "}", "an object") else { return }
      repeat {
        _ = try name()
        try skipValue(depth: depth - 1)
      } while try hasNext(before: "}")
    case UInt8(ascii: "["):
      guard depth > 0 else { throw .tooDeep }
      guard try open("[", "]", "an array") else { return }
      repeat { try skipValue(depth: depth - 1) } while try hasNext(before: "]")
    case UInt8(ascii: "\""): _ = try string()
    case let byte? where byte.startsNumber: _ = try number()
    default:
      guard skip(literal: "null") || skip(literal: "true") || skip(literal: "false") else {
        throw .expected("a value", at: offset)
      }
    }
  }
}

/// A string of a JSON text, whose escapes are valid.
struct JSONString {
  /// The bytes between the quotes.
  let content: UnsafeRawBufferPointer
  let hasEscapes: Bool

  /// Appends the string's UTF-8. It is not longer than the content.
  func write(to buffer: inout ByteWriter) {
    guard hasEscapes else {
      buffer.append(content)
      return
    }
    var start = 0
    var index = 0
    while index < content.count {
      guard content[index] == UInt8(ascii: "\\"), let (scalar, length) = JSONEscape.decode(content, at: index) else {
        index += 1
        continue
      }
      buffer.append(content[start..<index])
      for unit in scalar.utf8 { buffer.append(unit) }
      index += length
      start = index
    }
    buffer.append(content[start...])
  }

  /// Calls a function with the string's UTF-8.
  func withUTF8<Result>(
    _ body: (UnsafeRawBufferPointer) throws(MessageJSONError) -> Result
  ) throws(MessageJSONError) -> Result {
    guard hasEscapes else { return try body(content) }
    var buffer = ByteWriter()
    write(to: &buffer)
    return try buffer.withBytes(body)
  }

  /// The string as text.
  var text: String {
    var buffer = ByteWriter()
    write(to: &buffer)
    return buffer.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}

/// The escapes in strings.
enum JSONEscape {
  /// Returns the character that an escape stands for, and the escape's length. Returns `nil` if it is not valid. Half of
  /// a surrogate pair is not valid.
  static func decode(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (Unicode.Scalar, length: Int)? {
    guard offset + 1 < bytes.count else { return nil }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""): return ("\"", 2)
    case UInt8(ascii: "\\"): return ("\\", 2)
    case UInt8(ascii: "/"): return ("/", 2)
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{C}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"): return unicode(bytes, at: offset)
    default: return nil
    }
  }

  private static func unicode(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (Unicode.Scalar, length: Int)? {
    guard let first = unit(bytes, at: offset) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    guard (0xD800..<0xDC00).contains(first), let second = unit(bytes, at: offset + 6),
      (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
    else { return nil }
    return (scalar, 12)
  }

  /// Returns the code unit of an escape `\uXXXX`.
  private static func unit(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16? {
    guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt16 = 0
    for byte in bytes[(offset + 2)..<(offset + 6)] {
      guard let digit = byte.hexadecimalDigit else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

extension UInt8 {
  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are valid UTF-8.
  var isValidUTF8: Bool {
    withMemoryRebound(to: UInt8.self) { bytes in (try? UTF8Span(validating: bytes.span)) != nil }
  }
}
