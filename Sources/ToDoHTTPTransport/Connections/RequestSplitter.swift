#if HTTP
package import NIOCore
import ToDoRPC

/// Divides a connection's bytes, so that the decoder receives whole heads, and nothing of a request before the
/// response to the one before it has been sent.
///
/// A body ends where its length says, or with the trailers after its last chunk.
package struct RequestSplitter {
  /// The part of the bytes that is passed on next.
  package enum Need: Equatable, Sendable {
    /// A request's head.
    case head
    /// As many bytes of a body.
    case body(Int)
    /// A chunked body.
    case chunks
    /// Nothing. Bytes wait.
    case nothing
    /// Nothing. Bytes are discarded.
    case discard
  }

  /// The part that is passed on next. After a head, and after a body, it is nothing.
  package var need = Need.head {
    didSet { if need != oldValue { reset() } }
  }

  private let limits: HeadScanner.Limits
  private let chunkLimit: Int
  private var bytes = ByteBuffer()
  private var scanner: HeadScanner
  private var chunks: ChunkScanner
  private var chunkBytes = 0

  /// - Parameter messageLimit: the maximum length of a message. Chunked bodies may be twice as long, with their framing.
  package init(messageLimit: Int) {
    limits = HeadScanner.Limits()
    scanner = HeadScanner(limits)
    chunkLimit = 2 * messageLimit + limits.bytes
    chunks = ChunkScanner(maximumSize: chunkLimit)
  }

  /// The memory of the bytes that wait, in bytes.
  package var bufferedBytes: Int { bytes.retainedBytes }

  /// Whether a part of a head has arrived.
  package var isInsideHead: Bool { need == .head && scanner.hasBegun }

  /// Adds received bytes.
  package mutating func append(_ received: ByteBuffer) {
    if need == .discard { return }
    bytes.appendReceived(received)
  }

  /// Returns the next bytes to pass on, or `nil` if there are none.
  ///
  /// - Throws: `HTTPRejection`, after which the connection must be closed.
  package mutating func next() throws(HTTPRejection) -> ByteBuffer? {
    defer { bytes.releaseReadBytes() }
    switch need {
    case .head: return try nextHead()
    case .body(let count):
      guard let part = bytes.readSlice(length: min(count, bytes.readableBytes)), part.readableBytes > 0 else {
        return nil
      }
      need = part.readableBytes < count ? .body(count - part.readableBytes) : .nothing
      return part
    case .chunks: return try nextChunks()
    case .nothing: return nil
    case .discard:
      bytes = ByteBuffer()
      return nil
    }
  }

  private mutating func nextHead() throws(HTTPRejection) -> ByteBuffer? {
    switch bytes.withUnsafeReadableBytes({ scanner.scan($0) }) {
    case .incomplete: return nil
    case .invalid(let rejection): throw rejection
    case .complete(let length):
      need = .nothing
      return bytes.readSlice(length: length)
    }
  }

  private mutating func nextChunks() throws(HTTPRejection) -> ByteBuffer? {
    guard bytes.readableBytes > 0 else { return nil }
    let end = try bytes.withUnsafeReadableBytes { (bytes) throws(HTTPRejection) in try chunks.end(in: bytes) }
    let length = end ?? bytes.readableBytes
    let (total, limit) = (chunkBytes + length, chunkLimit)
    if end != nil { need = .nothing } else { chunkBytes = total }
    guard total <= limit else { throw .bodyTooLarge }
    return bytes.readSlice(length: length)
  }

  private mutating func reset() {
    scanner = HeadScanner(limits)
    if need != .chunks { return }
    chunks = ChunkScanner(maximumSize: chunkLimit)
    chunkBytes = 0
  }
}
#endif
