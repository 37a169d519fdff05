import NIOCore
import TTRPC
import ToDoModel
import ToDoProtocol

/// Reads answers as far as a measurement must: whether there is one, and what a call failed with.
struct ResponseReader {
  private let arena = Arena()

  /// - Returns: `internal` for an answer that cannot be read.
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

  /// The revision of the item that a write has answered with.
  func revision(_ data: ByteBuffer) -> Revision? {
    data.withUnsafeReadableBytes { bytes in
      defer { arena.reset() }
      arena.setLimit(forEncodedSize: bytes.count)
      // The answers of all writes have the same form.
      return try? ToDoMethods.addItem.response.decode(ResponseEnvelope(decoding: bytes, in: arena).payload, arena)
        .revision
    }
  }

  func release() { arena.release() }
}
