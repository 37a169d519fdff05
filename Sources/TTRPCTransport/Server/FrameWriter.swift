import NIOCore
import TTRPC

/// Gathers the frames of a connection's answers until they are written.
struct FrameWriter {
  private var bytes: ByteBuffer?
  private var waiters: [EventLoopPromise<Void>] = []
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
        try writeFrame(.response, [], on: id, arena) {
          $0.writeResponseEnvelope(payload: message.build(arena), arena: arena)
        }
      case .failed(let error):
        try writeFrame(.response, [], on: id, arena) { $0.writeResponseEnvelope(error: error, arena: arena) }
      case .streamed:
        try writeFrame(.data, [.remoteClosed, .noData], on: id, arena) { _ in }
      }
    } catch {
      // An error that is itself too large can only bear details of that size: its code and reason fit.
      var brief = error
      if case .failed(var original) = outcome {
        original.metadata = [:]
        original.violations = []
        brief = original
      }
      writeResponse(.failed(brief), on: id, arena)
    }
  }

  /// Writes one message of a stream.
  mutating func writeData(_ message: OutgoingMessage, on id: StreamID, _ arena: Arena) throws(RPCError) {
    try writeFrame(.data, [], on: id, arena) { $0.writeMessage(message.build(arena)) }
  }

  /// - Throws: when the data is longer than a frame may be; then nothing is written.
  private mutating func writeFrame(
    _ type: FrameType, _ flags: FrameFlags, on id: StreamID, _ arena: Arena, _ writeData: (inout ByteBuffer) -> Void
  ) throws(RPCError) {
    var buffer = bytes ?? ByteBufferAllocator().buffer(capacity: max(256, lastSize))
    // The only reference, or every write would copy.
    bytes = nil
    let start = buffer.writerIndex
    buffer.writeFrameHeader(FrameHeader(length: 0, streamID: id, type: type, flags: flags))
    writeData(&buffer)
    arena.reset()
    let length = buffer.writerIndex - start - FrameHeader.size
    guard length <= maximumLength else {
      buffer.moveWriterIndex(to: start)
      bytes = buffer.readableBytes > 0 ? buffer : nil
      throw .messageTooLarge(length, limit: maximumLength)
    }
    buffer.setInteger(UInt32(length), at: start)
    bytes = buffer
  }

  // MARK: Senders that wait for room

  mutating func wait(_ promise: EventLoopPromise<Void>) { waiters.append(promise) }

  mutating func resumeWaiters() {
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.succeed() }
  }

  mutating func failWaiters(with error: any Error) {
    let failed = waiters
    waiters = []
    for waiter in failed { waiter.fail(error) }
  }
}
