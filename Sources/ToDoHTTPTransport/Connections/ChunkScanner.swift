#if HTTP
/// Finds the end of a chunked body as its bytes arrive. Data is skipped as a whole, so that a body that looks like many short ones
/// costs no more than another.
///
/// The decoder would reject the same bytes, or take them for another end.
struct ChunkScanner {
  private enum State {
    /// In the digits of a chunk's size.
    case size(digits: Int)
    /// In the rest of the line, which is ignored.
    case lineRest
    /// After the CR of the line.
    case lineEnd
    /// In as many bytes of data, and the CR LF after them.
    case data(left: Int)
    /// In the lines after the last chunk.
    case trailer(length: Int)
    /// After the CR of such a line.
    case trailerEnd(length: Int)
    case ended
  }

  private var state = State.size(digits: 0)
  private var size = 0
  private let maximumSize: Int

  /// - Parameter maximumSize: the maximum size of a chunk.
  init(maximumSize: Int) { self.maximumSize = maximumSize }

  /// Scans the next bytes.
  ///
  /// - Returns: the number of bytes up to the body's end, or `nil` if it does not end in them.
  mutating func end(in bytes: UnsafeRawBufferPointer) throws(HTTPRejection) -> Int? {
    var offset = 0
    while offset < bytes.count {
      if case .data(let left) = state, left > 2 {
        let count = min(left - 2, bytes.count - offset)
        (state, offset) = (.data(left: left - count), offset + count)
        continue
      }
      state = try state(after: bytes[offset])
      offset += 1
      if case .ended = state { return offset }
    }
    return nil
  }

  private mutating func state(after byte: UInt8) throws(HTTPRejection) -> State {
    switch (state, byte) {
    case (.size(let digits), _):
      if let digit = byte.hexadecimalValue {
        size = size << 4 | digit
        guard size <= maximumSize else { throw .bodyTooLarge }
        return .size(digits: digits + 1)
      }
      guard digits > 0, byte != .lineFeed else { throw .malformedRequest }
      return byte == .carriageReturn ? .lineEnd : .lineRest
    case (.lineRest, .carriageReturn): return .lineEnd
    case (.lineRest, let byte) where byte != .lineFeed: return .lineRest
    case (.lineEnd, .lineFeed):
      defer { size = 0 }
      return size == 0 ? .trailer(length: 0) : .data(left: size + 2)
    case (.data(left: 2), .carriageReturn): return .data(left: 1)
    case (.data(left: 1), .lineFeed): return .size(digits: 0)
    case (.trailer(let length), .carriageReturn): return .trailerEnd(length: length)
    case (.trailer(let length), let byte) where byte != .lineFeed: return .trailer(length: length + 1)
    case (.trailerEnd(let length), .lineFeed): return length == 0 ? .ended : .trailer(length: 0)
    default: throw .malformedRequest
    }
  }
}

extension UInt8 {
  fileprivate var hexadecimalValue: Int? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      Int(self | 0x20) - Int(UInt8(ascii: "a")) + 10
    default: nil
    }
  }
}
#endif
