#if GRPC
import NIOCore
import NIOEmbedded

/// A frame that the server sent on a connection without a socket.
struct SentFrame: Equatable {
  var type: UInt8
  var flags: UInt8
  var stream: Int
  var payload: [UInt8]

  static let headers: UInt8 = 1
  static let settings: UInt8 = 4
  static let ping: UInt8 = 6
  static let goAway: UInt8 = 7

  static func refusal(of stream: Int) -> SentFrame {
    SentFrame(type: 3, flags: 0, stream: stream, payload: [0, 0, 0, 7])
  }

  /// GOAWAY with a last stream and the code NO_ERROR.
  static func goAway(after lastStream: Int) -> SentFrame {
    let id = (0..<4).map { UInt8(truncatingIfNeeded: lastStream >> (24 - 8 * $0)) }
    return SentFrame(type: goAway, flags: 0, stream: 0, payload: id + [0, 0, 0, 0])
  }

  /// The frames that a server has sent since the last call.
  static func all(of channel: EmbeddedChannel) throws -> [SentFrame] {
    var bytes = ByteBuffer()
    while var part = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&part) }
    var frames: [SentFrame] = []
    while let head = bytes.readBytes(length: 9) {
      let length = Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2])
      let stream = head[5...].reduce(0) { $0 << 8 + Int($1) }
      let payload = bytes.readBytes(length: length) ?? []
      frames.append(SentFrame(type: head[3], flags: head[4], stream: stream, payload: payload))
    }
    return frames
  }
}
#endif
