/// A reply of a mail server: the code, and the text of each line.
struct SMTPReply: Equatable, Sendable {
  /// Three digits, from 200 to 559.
  let code: Int
  /// The texts after the code: at least one.
  let lines: [String]

  /// The code, and the enhanced status code if the text begins with one. Not the text, which can repeat an address.
  var summary: String {
    let word = lines[0].prefix { $0 != " " }
    let parts = word.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isStatus =
      parts.count == 3
      && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy { (0x30...0x39).contains($0) } }
    return isStatus ? "\(code) \(word)" : "\(code)"
  }
}

/// Reads replies from bytes, as they arrive. It holds at most one line, and the lines of one reply.
struct SMTPReplyParser {
  /// The reason why bytes are not a reply.
  enum Failure: Error, Equatable {
    /// A line is longer than any server may send.
    case overlongLine
    /// A reply has more lines than any server needs.
    case tooManyLines
    /// A line does not begin with a code, or its code differs from the previous line's.
    case malformedLine
  }

  /// The maximum size of a line, in bytes. RFC 5321 permits 512; some servers send more.
  static let lineLimit = 1_024
  /// The maximum number of lines in a reply.
  static let lineCount = 100

  private var line: [UInt8] = []
  private var code: Int?
  private var lines: [String] = []

  /// Whether the last byte ended a reply.
  var isBetweenReplies: Bool { line.isEmpty && code == nil }

  /// Adds a byte, and returns the reply that it ends.
  mutating func add(_ byte: UInt8) throws(Failure) -> SMTPReply? {
    guard byte == UInt8(ascii: "\n") else {
      guard line.count < Self.lineLimit else { throw .overlongLine }
      line.append(byte)
      return nil
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { line = [] }
    return try endLine()
  }

  private mutating func endLine() throws(Failure) -> SMTPReply? {
    let digits = line.prefix(3)
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: digits, as: UTF8.self)), (200...559).contains(number), code ?? number == number
    else { throw .malformedLine }
    let separator = line.dropFirst(3).first ?? UInt8(ascii: " ")
    guard separator == UInt8(ascii: " ") || separator == UInt8(ascii: "-") else { throw .malformedLine }
    guard lines.count < Self.lineCount else { throw .tooManyLines }
    lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
    code = number
    guard separator == UInt8(ascii: " ") else { return nil }
    defer { (code, lines) = (nil, []) }
    return SMTPReply(code: number, lines: lines)
  }
}
