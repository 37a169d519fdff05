#if GRPC
package import NIOCore
import ToDoRPC

/// Divides the bytes of a client's HTTP/2 connection after whole frames.
///
///     +--------------+ +------------+----------+-----------+---------------+---------+
///     | preface (24) | | length (3) | type (1) | flags (1) | stream ID (4) | payload | ...
///     +--------------+ +------------+----------+-----------+---------------+---------+
///
/// Whole frames that arrive together are returned together and are not copied. At most one incomplete frame is copied and
/// retained: 16,393 bytes. The contents of frames are returned unchanged and unchecked.
package struct FrameSplitter {
  /// The client has sent too many frames that have no effect: of unknown types, or GOAWAY.
  package struct TooManyIgnoredFrames: Error {}

  /// A frame or a header block that has partly arrived.
  package struct Pending: Equatable {
    /// The number of frames before it.
    package let number: Int
    /// The number of its bytes as far as they were declared.
    package let length: Int
  }

  private enum State {
    case preface, frames
    /// The connection cannot continue. Further bytes are discarded.
    case ended
  }

  private static let preface = 24
  private static let header = 9
  /// The initial value of SETTINGS_MAX_FRAME_SIZE, which the server does not change.
  static let maximumPayload = 16_384
  /// The number of frames without effect that a connection may have.
  static let maximumIgnoredFrames = 100

  private var state = State.preface
  /// The received bytes that have not been divided yet.
  private var input = ByteBuffer()
  /// The beginning of a frame whose other bytes have not arrived.
  private var part = ByteBuffer()
  private var count = 0
  private var ignoredCount = 0
  /// HEADERS and the CONTINUATION frames after it, while the last of them has not arrived.
  private var headerBlock: Pending?

  /// Creates a splitter that expects the connection preface.
  package init() {}

  /// The incomplete frame's memory, and the bytes of the incomplete header block, which were already returned.
  package var bufferedBytes: Int { part.retainedBytes + (headerBlock?.length ?? 0) }

  /// The frame or header block that has partly arrived; `nil` if there is none.
  package var pending: Pending? {
    let length = part.readableBytes > 0 ? requiredLength(of: part, at: part.readerIndex) : nil
    if let headerBlock { return Pending(number: headerBlock.number, length: headerBlock.length + (length ?? 0)) }
    return length.map { Pending(number: count, length: $0) }
  }

  /// Adds received bytes. Call `next` until it returns `nil` afterwards.
  package mutating func append(_ bytes: ByteBuffer) {
    if state != .ended { input.appendReceived(bytes) }
  }

  /// Returns the next whole frames, or `nil` if more bytes are needed.
  ///
  /// A header that declares more than 16,384 bytes is returned without its payload, because the HTTP/2 decoder rejects the
  /// connection there. Nothing follows it.
  ///
  /// - Throws: `TooManyIgnoredFrames`, once.
  package mutating func next() throws(TooManyIgnoredFrames) -> ByteBuffer? {
    if part.readableBytes > 0 {
      guard complete() else { return nil }
      let frame = part
      part = ByteBuffer()
      try pass(frame, at: frame.readerIndex)
      return frame
    }
    let begin = input.readerIndex
    var end = begin
    while state != .ended, input.writerIndex > end {
      let length = requiredLength(of: input, at: end)
      guard length <= input.writerIndex - end else { break }
      try pass(input, at: end)
      end += length
    }
    let frames = input.readSlice(length: end - begin)
    if state == .ended { input = ByteBuffer() }
    if end > begin { return frames }
    part = input.readableBytes > 0 ? ByteBuffer(bytes: input.readableBytesView) : part
    input = ByteBuffer()
    return nil
  }

  /// Moves the bytes that the incomplete frame lacks from the input to it.
  ///
  /// - Returns: whether the frame is complete.
  private mutating func complete() -> Bool {
    while true {
      let missing = requiredLength(of: part, at: part.readerIndex) - part.readableBytes
      guard missing > 0 else { return true }
      guard var bytes = input.readSlice(length: min(missing, input.readableBytes)), bytes.readableBytes > 0 else {
        input = ByteBuffer()
        return false
      }
      part.writeBuffer(&bytes)
    }
  }

  /// Returns the length of the frame at an index; while its header is incomplete, the header length.
  private func requiredLength(of bytes: ByteBuffer, at index: Int) -> Int {
    if case .preface = state { return Self.preface }
    guard bytes.writerIndex - index >= Self.header else { return Self.header }
    let length = payloadLength(of: bytes, at: index)
    return length > Self.maximumPayload ? Self.header : Self.header + length
  }

  private func payloadLength(of bytes: ByteBuffer, at index: Int) -> Int {
    Int((bytes.getInteger(at: index, as: UInt32.self) ?? 0) >> 8)
  }

  /// Records the whole frame at an index.
  private mutating func pass(_ bytes: ByteBuffer, at index: Int) throws(TooManyIgnoredFrames) {
    if case .preface = state { return state = .frames }
    let length = payloadLength(of: bytes, at: index)
    guard length <= Self.maximumPayload else { return state = .ended }
    guard let type = bytes.getInteger(at: index + 3, as: UInt8.self),
      let flags = bytes.getInteger(at: index + 4, as: UInt8.self)
    else { return }
    let endsHeaders = flags & 4 != 0
    switch type {
    case 1, 5: headerBlock = endsHeaders ? nil : Pending(number: count, length: Self.header + length)
    case 9:
      headerBlock = endsHeaders ? nil : headerBlock.map { Pending(number: $0.number, length: $0.length + length) }
    case 7, 10...:
      ignoredCount += 1
      guard ignoredCount <= Self.maximumIgnoredFrames else {
        (state, input) = (.ended, ByteBuffer())
        throw TooManyIgnoredFrames()
      }
    default: break
    }
    count += 1
  }
}
#endif
