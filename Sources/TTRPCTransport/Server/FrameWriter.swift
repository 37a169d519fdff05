import NIOCore
import Protobuf
import RPC
import TTRPC

/// Gathers the frames of a connection's answers until they are written.
struct FrameWriter {
  private var bytes: ByteBuffer?
  private var waiters: [(stream: StreamID, promise: EventLoopPromise<Void>)] = []
  private var lastSize = 0
  private let maximumLength: Int

  init(maximumLength: Int) {
    self.maximumLength = maximumLength
  }

  var needsFlush: Bool { bytes != nil }

  /// Whether to write before there is more.
  var isLarge: Bool { (bytes?.readableBytes ?? 0) >= 256 << 10 }

  /// What was gathered, if anything.
  mutating func takeBytes() -> ByteBuffer? {
    defer { bytes = nil }
    lastSize = min(bytes?.readableBytes ?? 0, 64 << 10)
    return bytes
  }

  /// Writes what ends a call.
  mutating func writeResponse(_ outcome: CallOutcome, on id: StreamID, _ arena: Arena) {
    do {
      switch outcome {
      case .answered(let message):
        try writeFrame(.response, FrameFlags(), on: id, arena) {
          $0.writeResponseEnvelope(payload: message.bytes(in: arena), arena: arena)
        }
      case .failed(let error):
        try writeFrame(.response, FrameFlags(), on: id, arena) { $0.writeResponseEnvelope(error: error, arena: arena) }
      case .streamed:
        try writeFrame(.data, [.remoteClosed, .noData], on: id, arena) { _ in }
      }
    } catch {
      switch outcome {
      case .failed(let error): writeBriefly(error, on: id, arena)
      case .answered, .streamed: writeResponse(.failed(error), on: id, arena)
      }
    }
  }

  /// Writes what is left of an error that is too large: its code and its reason, whatever the limit is.
  private mutating func writeBriefly(_ error: RPCError, on id: StreamID, _ arena: Arena) {
    let message = String(error.message.unicodeScalars.prefix(100))
    let brief = RPCError(error.code, reason: error.reason, domain: error.domain, message)
    writeUncheckedFrame(.response, FrameFlags(), on: id, arena) { $0.writeResponseEnvelope(error: brief, arena: arena) }
  }

  /// Writes one message of a stream.
  mutating func writeData(_ message: OutgoingMessage, on id: StreamID, _ arena: Arena) throws(RPCError) {
    try writeFrame(.data, FrameFlags(), on: id, arena) { message.write(to: &$0, arena) }
  }

  /// - Throws: when the data is longer than a frame may be; then nothing is written.
  private mutating func writeFrame(
    _ type: FrameType, _ flags: FrameFlags, on id: StreamID, _ arena: Arena, _ writeData: (inout ByteBuffer) -> Void
  ) throws(RPCError) {
    let length = writeUncheckedFrame(type, flags, on: id, arena, writeData)
    guard length > maximumLength, var buffer = bytes else { return }
    bytes = nil
    buffer.moveWriterIndex(to: buffer.writerIndex - length - FrameHeader.size)
    bytes = buffer.readableBytes > 0 ? buffer : nil
    throw .messageTooLarge(length, limit: maximumLength)
  }

  /// - Returns: how long the data is.
  @discardableResult
  private mutating func writeUncheckedFrame(
    _ type: FrameType, _ flags: FrameFlags, on id: StreamID, _ arena: Arena, _ writeData: (inout ByteBuffer) -> Void
  ) -> Int {
    var buffer = bytes ?? ByteBufferAllocator().buffer(capacity: max(256, lastSize))
    // The only reference, or every write would copy.
    bytes = nil
    let start = buffer.writerIndex
    buffer.writeFrameHeader(FrameHeader(length: 0, streamID: id, type: type, flags: flags))
    writeData(&buffer)
    arena.reset()
    let length = buffer.writerIndex - start - FrameHeader.size
    buffer.setInteger(UInt32(truncatingIfNeeded: length), at: start)
    bytes = buffer
    return length
  }

  // MARK: Senders that wait for room

  mutating func wait(_ promise: EventLoopPromise<Void>, on stream: StreamID) { waiters.append((stream, promise)) }

  mutating func resumeWaiters() {
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.promise.succeed() }
  }

  /// The streams have ended: nobody need wait on them.
  mutating func failWaiters(with error: any Error, on stream: StreamID? = nil) {
    guard !waiters.isEmpty else { return }
    let failed = waiters.filter { stream == nil || $0.stream == stream }
    waiters.removeAll { stream == nil || $0.stream == stream }
    for waiter in failed { waiter.promise.fail(error) }
  }
}
