#if HTTP
/// Finds the end of a request's head as its bytes arrive, and rejects what parsers disagree about: a line that ends without
/// CR, a CR without LF, a line that continues the one before it, NUL, and a request line that is not of three words and
/// HTTP/1.
struct HeadScanner {
  /// The largest head.
  struct Limits {
    /// The maximum size of the request line and all fields.
    var bytes = 32 << 10
    /// The maximum number of fields.
    var fields = 100
  }

  /// The result of a scan.
  enum Result: Equatable {
    case incomplete
    /// The head ends at this offset.
    case complete(Int)
    case invalid(HTTPRejection)
  }

  private let limits: Limits
  private var offset = 0
  private var lines = 0
  private var lineLength = 0
  private var previous: UInt8 = 0
  /// The number of spaces in the request line.
  private var spaces = 0

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Whether anything but empty lines has arrived.
  var hasBegun: Bool { lines > 0 || lineLength > 0 }

  /// Scans the bytes after those of earlier scans.
  ///
  /// - Parameter bytes: all bytes since the head's first.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Result {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if let result = scan(byte) { return result }
      if byte == .lineFeed, lines == 1, lineLength == 0, !hasRequestLine(bytes[..<offset]) {
        return .invalid(.malformedHead)
      }
      if offset > limits.bytes { return .invalid(.headTooLarge) }
      previous = byte
    }
    return .incomplete
  }

  /// - Parameter bytes: the bytes up to a line's end: the request line, or a field.
  private func hasRequestLine(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    spaces == 2 && ["HTTP/1.0\r\n", "HTTP/1.1\r\n"].contains { bytes.suffix(10).elementsEqual($0.utf8) }
  }

  private mutating func scan(_ byte: UInt8) -> Result? {
    if previous == .carriageReturn, byte != .lineFeed { return .invalid(.malformedHead) }
    switch byte {
    case .lineFeed:
      guard previous == .carriageReturn else { return .invalid(.malformedHead) }
      // Empty lines before a request are permitted.
      if lineLength == 0 { return lines == 0 ? nil : .complete(offset) }
      lines += 1
      lineLength = 0
      return lines > limits.fields + 1 ? .invalid(.headTooLarge) : nil
    case .carriageReturn: return nil
    case 0: return .invalid(.malformedHead)
    case .space where lineLength == 0, .tab where lineLength == 0: return .invalid(.malformedHead)
    default:
      lineLength += 1
      if lines == 0, byte == .space { spaces += 1 }
      return lines == 0 && byte == .tab ? .invalid(.malformedHead) : nil
    }
  }
}

extension UInt8 {
  fileprivate static let tab = UInt8(ascii: "\t")
  fileprivate static let space = UInt8(ascii: " ")
  static let carriageReturn = UInt8(ascii: "\r")
  static let lineFeed = UInt8(ascii: "\n")
}
#endif
