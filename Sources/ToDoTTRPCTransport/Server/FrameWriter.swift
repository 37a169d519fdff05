import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// Collects the frames of a connection's responses until they are written.
struct FrameWriter {
  private var bytes: ByteBuffer?
  private var lastSize = 0
  private let maximumLength: Int

  init(maximumLength: Int) {
    self.maximumLength = maximumLength
  }

  var needsFlush: Bool { bytes != nil }

  /// Whether the frames should be written before more are collected.
  var isLarge: Bool { (bytes?.readableBytes ?? 0) >= 256 << 10 }

  /// Returns and removes the collected frames; `nil` if there are none.
  mutating func takeBytes() -> ByteBuffer? {
    defer { bytes = nil }
    lastSize = min(bytes?.readableBytes ?? 0, 64 << 10)
    return bytes
  }

  /// Writes the frame that ends a call.
  mutating func writeResponse(_ outcome: CallOutcome, on id: StreamID, _ arena: Arena) {
    do {
      switch outcome {
      case .answered(let message):
        try writeFrame(.response, FrameFlags(), on: id, arena) {
          $0.writeResponseEnvelope(payload: message.payload(in: arena), arena: arena)
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

  /// Writes an error that is too large without its details: its code, its reason and a short message. The limit does not
  /// apply to it.
  private mutating func writeBriefly(_ error: RPCError, on id: StreamID, _ arena: Arena) {
    let message = String(error.message.unicodeScalars.prefix(100))
    let brief = RPCError(error.code, reason: error.reason, domain: error.domain, message)
    writeUncheckedFrame(.response, FrameFlags(), on: id, arena) { $0.writeResponseEnvelope(error: brief, arena: arena) }
  }

  /// Writes one message of a stream.
  mutating func writeData(_ message: OutgoingMessage, on id: StreamID, _ arena: Arena) throws(RPCError) {
    try writeFrame(.data, FrameFlags(), on: id, arena) { message.write(to: &$0, arena) }
  }

  /// - Throws: `RPCError` if the data exceeds the maximum length. Nothing is written in that case.
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

  /// - Returns: the length of the data.
  @discardableResult
  private mutating func writeUncheckedFrame(
    _ type: FrameType, _ flags: FrameFlags, on id: StreamID, _ arena: Arena, _ writeData: (inout ByteBuffer) -> Void
  ) -> Int {
    var buffer = bytes ?? ByteBufferAllocator().buffer(capacity: max(256, lastSize))
    // `buffer` must be the only reference. Otherwise every write would copy.
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
}
