#if GRPC
import NIOCore
import NIOHPACK

/// The bytes of frames that a client sends on a connection without a socket.
enum HTTP2Bytes {
  /// The first frames: the preface and empty SETTINGS.
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0] as [UInt8]

  static let settingsAcknowledgement: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0]

  /// HEADERS of a call of a method of `test.Texts`.
  static func headers(_ method: String, on stream: Int, _ metadata: HPACKHeaders = [:]) throws -> [UInt8] {
    var (encoder, block) = (HPACKEncoder(allocator: ByteBufferAllocator()), ByteBuffer())
    var headers: HPACKHeaders = [
      ":method": "POST", ":scheme": "http", ":path": "/test.Texts/\(method)", "content-type": "application/grpc",
    ]
    headers.add(contentsOf: metadata)
    try encoder.encode(headers: headers, to: &block)
    return [0, 0, UInt8(block.readableBytes), 1, 4] + bytes(of: stream) + block.readableBytesView
  }

  /// DATA with an empty message that ends the caller's side.
  static func emptyMessage(on stream: Int) -> [UInt8] { [0, 0, 5, 0, 1] + bytes(of: stream) + [0, 0, 0, 0, 0] }

  private static func bytes(of stream: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * $0)) }
  }

  /// HEADERS and DATA of a call with an empty message.
  static func call(_ method: String, on stream: Int) throws -> [UInt8] {
    try headers(method, on: stream) + emptyMessage(on: stream)
  }
}
#endif
