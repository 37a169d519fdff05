#if HTTP
import NIOCore
import NIOEmbedded
import NIOHPACK
import Testing
import ToDoRPC

@testable import ToDoHTTPTransport

/// The client of an HTTP/2 connection without a socket, whose clock stands still.
final class EmbeddedHTTP2Client {
  /// What the server has sent on one stream.
  struct Answer {
    var headers = HPACKHeaders()
    var body: [UInt8] = []
    var hasEnded = false
    /// The code with which the server has reset the stream.
    var reset: UInt32?

    var status: String? { headers.first(name: ":status") }
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  let connection: EmbeddedHTTPConnection
  private(set) var answers: [UInt32: Answer] = [:]
  /// The number of GOAWAY frames.
  private(set) var goAways = 0
  private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
  private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
  private var nextStream: UInt32 = 1
  /// The stream of the last request.
  var lastStream: UInt32 { nextStream - 2 }

  /// Sends the preface and empty SETTINGS.
  init(_ connection: EmbeddedHTTPConnection) {
    self.connection = connection
    connection.receive(bytes: (Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])[...])
  }

  /// Sends the headers of a request, and returns its stream.
  @discardableResult
  func open(
    _ path: String, method: String = "POST", type: String? = "application/proto", headers: [(String, String)] = [],
    authority: String = "localhost", endStream: Bool = false
  ) throws -> UInt32 {
    let stream = nextStream
    nextStream += 2
    var all = HPACKHeaders([
      (":method", method), (":scheme", "http"), (":path", path), (":authority", authority),
    ])
    if let type { all.add(name: "content-type", value: type) }
    for (name, value) in headers { all.add(name: name, value: value) }
    var block = ByteBuffer()
    try encoder.encode(headers: all, to: &block)
    send(type: 1, flags: endStream ? 5 : 4, stream, Array(block.readableBytesView))
    return stream
  }

  /// Sends a part of a body.
  func send(_ bytes: [UInt8], on stream: UInt32, endStream: Bool = true) {
    send(type: 0, flags: endStream ? 1 : 0, stream, bytes)
  }

  /// Sends a request with a body, and returns what the server has sent.
  func call(
    _ body: [UInt8] = [], at path: String = "/test.Texts/Say", method: String = "POST",
    type: String? = "application/proto", headers: [(String, String)] = [], authority: String = "localhost"
  ) throws -> Answer {
    let stream = try open(path, method: method, type: type, headers: headers, authority: authority)
    send(body, on: stream)
    return try answer(on: stream)
  }

  /// Resets a stream with CANCEL.
  func reset(_ stream: UInt32) { send(type: 3, flags: 0, stream, [0, 0, 0, 8]) }

  private func send(type: UInt8, flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) {
    var frame = ByteBuffer(integer: UInt32(payload.count) << 8 | UInt32(type))
    frame.writeInteger(flags)
    frame.writeInteger(stream)
    frame.writeBytes(payload)
    connection.receive(bytes: Array(frame.readableBytesView)[...])
  }

  /// Returns what the server has sent on a stream.
  func answer(on stream: UInt32) throws -> Answer {
    try readFrames()
    return answers[stream] ?? Answer()
  }

  func readFrames() throws {
    var bytes = ByteBuffer(bytes: try connection.sentBytes())
    while let head = bytes.readBytes(length: 9) {
      let length = Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2])
      let stream = head[5...].reduce(0) { $0 << 8 + UInt32($1) }
      guard var payload = bytes.readSlice(length: length) else {
        Issue.record("a frame is incomplete")
        return
      }
      switch head[3] {
      case 0: answers[stream, default: Answer()].body += payload.readableBytesView
      case 1: answers[stream, default: Answer()].headers.add(contentsOf: try decoder.decodeHeaders(from: &payload))
      case 3: answers[stream, default: Answer()].reset = payload.readInteger()
      case 7: goAways += 1
      default: continue
      }
      if head[3] < 2, head[4] & 1 == 1 { answers[stream, default: Answer()].hasEnded = true }
    }
  }
}
#endif
