import NIOCore
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC

/// Decodes the parts of responses that the measurement needs.
struct ResponseReader {
  private let arena = Arena()

  /// Returns the status code of a response, or `internal` if the response is malformed.
  func code(_ data: ByteBuffer) -> StatusCode {
    data.withUnsafeReadableBytes { bytes in
      defer { arena.reset() }
      arena.setLimit(forEncodedSize: bytes.count)
      do {
        let response = try ResponseEnvelope(decoding: bytes, in: arena)
        if let error = try response.error(in: arena) { return error.code }
        return response.payload.isEmpty ? .internal : .ok
      } catch {
        return .internal
      }
    }
  }

  /// Returns the revision of the item in the response to a write.
  func revision(_ data: ByteBuffer) -> Revision? {
    data.withUnsafeReadableBytes { bytes in
      defer { arena.reset() }
      arena.setLimit(forEncodedSize: bytes.count)
      // The responses of all writes have the same form.
      return try? ToDoMethods.addItem.response.decode(ResponseEnvelope(decoding: bytes, in: arena).payload, arena)
        .revision
    }
  }

  /// Releases the memory that decoding has allocated.
  func release() { arena.release() }
}
