import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

extension FuzzTarget {
  /// The decoders of request and response envelopes.
  static let envelopes = FuzzTarget(name: "envelopes") { bytes in
    let arena = Arena()
    arena.setLimit(forEncodedSize: bytes.count)
    if let request = try? RequestEnvelope(decoding: bytes, in: arena) {
      _ = request.timeout
      _ = request.service.count + request.method.count + request.payload.count
      _ = try? request.metadata()
    }
    arena.reset()
    arena.setLimit(forEncodedSize: bytes.count)
    guard let response = try? ResponseEnvelope(decoding: bytes, in: arena),
      let error = try? response.error(in: arena)
    else { return }
    // A decoded error can be encoded, and decodes to the same error.
    var buffer = ByteBuffer()
    let other = Arena()
    buffer.writeResponseEnvelope(error: error, arena: other)
    let again = Arena()
    buffer.withUnsafeReadableBytes { written in
      let read = try? ResponseEnvelope(decoding: written, in: again).error(in: again)
      precondition(
        read?.message == error.message && read?.reason == error.reason,
        "an error is unchanged after encoding and decoding")
    }
  }
}
