import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// An encoded request without a stream ID, which is set on the event loop.
struct RequestFrame: Sendable {
  let kind: ClientStreams.Kind
  let timeout: Duration?
  private let bytes: ByteBuffer

  /// Encodes a request.
  ///
  /// - Throws: `RPCError` if the request exceeds the maximum frame length.
  init(
    _ method: MethodName, _ message: OutgoingMessage, kind: ClientStreams.Kind, timeout: Duration? = nil,
    metadata: Metadata = Metadata(), maximumLength: Int = FrameHeader.maximumLength, arena: Arena = Arena()
  ) throws(RPCError) {
    self.kind = kind
    self.timeout = timeout
    var bytes = ByteBufferAllocator().buffer(capacity: 256)
    bytes.writeFrameHeader(
      FrameHeader(length: 0, streamID: StreamID(0), type: .request, flags: kind.requestFlags))
    bytes.writeRequestEnvelope(
      method, timeout: timeout, metadata: metadata, payload: message.payload(in: arena), arena: arena)
    arena.reset()
    let length = bytes.readableBytes - FrameHeader.size
    guard length <= maximumLength else {
      var error = RPCError.messageTooLarge(length, limit: maximumLength)
      error.isUnsent = true
      throw error
    }
    bytes.setInteger(UInt32(length), at: 0)
    self.bytes = bytes
  }

  /// Returns the frame with a stream ID.
  func frame(for id: StreamID) -> ByteBuffer {
    var frame = bytes
    frame.setInteger(id.rawValue, at: 4)
    return frame
  }
}
