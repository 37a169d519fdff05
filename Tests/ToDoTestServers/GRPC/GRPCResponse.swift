#if GRPC
import NIOCore
import NIOHPACK
package import NIOHTTP2
import ToDoRPC

/// The part of a gRPC response that a client has received.
package struct GRPCResponse {
  private var hasHeaders = false
  private var bytes = ByteBuffer()

  /// Whether the status has arrived.
  package private(set) var isComplete = false

  package init() {}

  /// Receives a frame.
  ///
  /// - Throws: the status of a failed call, an `RPCError`; `InvalidGRPCResponse`.
  package mutating func receive(_ frame: HTTP2Frame.FramePayload) throws {
    switch frame {
    case .headers(let frame):
      if !hasHeaders {
        let (status, type) = (frame.headers.first(name: ":status"), frame.headers.first(name: "content-type"))
        guard status == "200", type == "application/grpc" else { throw InvalidGRPCResponse("\(frame.headers)") }
        hasHeaders = true
      } else if !frame.endStream {
        throw InvalidGRPCResponse("headers follow headers")
      }
      guard frame.endStream else { return }
      isComplete = true
      if let error = try RPCError(trailers: frame.headers) { throw error }
      // `nextMessage` has returned every whole message.
      guard bytes.readableBytes == 0 else { throw InvalidGRPCResponse("a message is incomplete") }
    case .data(let frame):
      guard hasHeaders, !frame.endStream else { throw InvalidGRPCResponse("there are no headers or no trailers") }
      if case .byteBuffer(var part) = frame.data { bytes.writeBuffer(&part) }
    case .rstStream(let code):
      throw RPCError.unavailable("the server has reset the stream: \(code)", isUnsent: false)
    default: break
    }
  }

  /// Returns the next message that has arrived.
  package mutating func nextMessage() throws -> [UInt8]? {
    guard let flag: UInt8 = bytes.getInteger(at: bytes.readerIndex) else { return nil }
    guard flag == 0 else { throw InvalidGRPCResponse("a message is compressed") }
    guard let length: UInt32 = bytes.getInteger(at: bytes.readerIndex + 1) else { return nil }
    guard bytes.readableBytes >= 5 + Int(length) else { return nil }
    bytes.moveReaderIndex(forwardBy: 5)
    defer { bytes.discardReadBytes() }
    return bytes.readBytes(length: Int(length))
  }
}

/// A response that violates gRPC.
package struct InvalidGRPCResponse: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}
#endif
