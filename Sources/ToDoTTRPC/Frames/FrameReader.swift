package import NIOCore
import ToDoRPC

/// Buffers the bytes that a connection receives, and divides them into frames.
///
///     append(bytes)  next() ... next() -> nil  compact()
///
/// Frames may remain buffered: a connection that applies back-pressure calls `next` later. `compact` follows the last
/// `next` of a turn, so that the buffer retains only the bytes that were not decoded.
///
/// The type is noncopyable because a copy would cost as much as decoding a frame.
package struct FrameReader: ~Copyable {
  private var decoder: FrameDecoder
  private var bytes = ByteBuffer()
  /// The number of frames that `next` has returned.
  package private(set) var frameCount = 0

  /// Creates a reader.
  ///
  /// - Parameter maximumLength: a frame's maximum data length. The data of a longer one is skipped.
  package init(maximumLength: Int = FrameHeader.maximumLength) {
    decoder = FrameDecoder(maximumLength: maximumLength)
  }

  /// The maximum data length of the frames whose headers have not been decoded yet.
  package var maximumLength: Int {
    get { decoder.maximumLength }
    set { decoder.maximumLength = newValue }
  }

  /// The data length of the frame that has partly arrived, or 0 while its header is incomplete. `nil` if no bytes are
  /// pending.
  package var pendingLength: Int? { decoder.pendingLength ?? (bytes.readableBytes > 0 ? 0 : nil) }

  /// The memory that the bytes occupy which were not decoded.
  package var bufferedBytes: Int { bytes.retainedBytes }

  /// Appends received bytes. They are not copied unless other bytes are pending.
  package mutating func append(_ received: ByteBuffer) {
    bytes.appendReceived(received)
  }

  /// Returns the next frame, or `nil` if more bytes are needed. Its data is a slice of the buffer.
  ///
  /// - Throws: `FramingError` if the bytes are not ttrpc. The bytes after them cannot be decoded either.
  package mutating func next() throws -> DecodedFrame? {
    guard let frame = try decoder.decode(buffer: &bytes) else { return nil }
    frameCount += 1
    return frame
  }

  /// Retains only the bytes that were not decoded, not the whole buffer that they arrived in.
  package mutating func compact() { bytes.releaseReadBytes() }

  /// Discards the bytes that were not decoded, because the connection is closing.
  package mutating func discard() { bytes = ByteBuffer() }
}
