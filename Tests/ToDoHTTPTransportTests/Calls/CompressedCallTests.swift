#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoCompression
import ToDoRPC
import ToDoTestSupport

@testable import ToDoHTTPTransport

/// Calls with compressed bodies.
@Suite(.timeLimited) struct CompressedCallTests {
  private let text = String(repeating: "Dinner at Rossi ", count: 1000)

  private func compressed(_ text: ByteBuffer) throws -> [UInt8] {
    var bytes = ByteBuffer()
    try Gzip.compress(text, into: &bytes)
    return Array(bytes.readableBytesView)
  }

  private func compressed(_ text: String) throws -> [UInt8] { try compressed(ByteBuffer(string: text)) }

  /// Sends a call of `test.Texts/Say`, and returns the head and the body of the response.
  private func call(
    _ connection: EmbeddedHTTPConnection, _ body: [UInt8], _ headers: [String]
  ) throws -> (head: String, body: ByteBuffer) {
    let head = String.request(
      "POST /test.Texts/Say HTTP/1.1",
      ["Host: localhost", "Content-Type: application/proto", "Content-Length: \(body.count)"] + headers)
    connection.receive(bytes: (Array(head.utf8) + body)[...])
    var sent = ByteBuffer()
    while let data = try connection.channel.readOutbound(as: IOData.self) {
      if case .byteBuffer(var part) = data { sent.writeBuffer(&part) }
    }
    let bytes = Array(sent.readableBytesView)
    let end = try #require(bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) })
    return (String(decoding: bytes[..<(end + 2)], as: UTF8.self), ByteBuffer(bytes: bytes[(end + 4)...]))
  }

  @Test func request_whenCompressed_isDecompressed() throws {
    let connection = try EmbeddedHTTPConnection()
    for text in ["", "a", text] {
      let answer = try call(connection, compressed(text), ["Content-Encoding: gzip"])
      #expect(answer.head.hasPrefix("HTTP/1.1 200 "))
      #expect(!answer.head.contains("content-encoding"))
      #expect(String(buffer: answer.body) == text)
    }
  }

  @Test(arguments: ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "deflate,GZIP"])
  func response_whenCallerAcceptsGzip_isCompressedIfLarge(_ accepted: String) throws {
    let connection = try EmbeddedHTTPConnection()
    let answer = try call(connection, Array(text.utf8), ["Accept-Encoding: \(accepted)"])
    #expect(answer.head.contains("content-encoding: gzip\r\n"))
    #expect(answer.head.contains("content-length: \(answer.body.readableBytes)\r\n"))
    #expect(answer.body.readableBytes < text.utf8.count / 10)
    var content = ByteBuffer()
    try Gzip.decompress(answer.body, into: &content, maximumSize: 1 << 20)
    #expect(String(buffer: content) == text)
    let small = try call(connection, Array("a".utf8), ["Accept-Encoding: \(accepted)"])
    #expect(!small.head.contains("content-encoding") && String(buffer: small.body) == "a")
  }

  @Test(arguments: ["identity", "gzip;q=0", "gzip; q=0.000", "x-gzip", "*", ""])
  func response_whenCallerDoesNotAcceptGzip_isNotCompressed(_ accepted: String) throws {
    let answer = try call(
      EmbeddedHTTPConnection(), Array(text.utf8), ["Accept-Encoding: \(accepted)"])
    #expect(!answer.head.contains("content-encoding") && String(buffer: answer.body) == text)
  }

  @Test func bomb_isRejected_andConnectionStays() throws {
    let connection = try EmbeddedHTTPConnection()
    let bomb = try compressed(ByteBuffer(repeating: 0, count: 16 << 20))
    let answer = try call(connection, bomb, ["Content-Encoding: gzip"])
    #expect(answer.head.hasPrefix("HTTP/1.1 429 "))
    #expect(String(buffer: answer.body).contains("resource_exhausted"))
    #expect(try connection.status(.call()) == 200)
  }

  @Test func request_whenNotGzip_isInvalidArgument() throws {
    let connection = try EmbeddedHTTPConnection()
    for body in [Array("hello".utf8), [], try compressed(text).dropLast(), try compressed(text) + [0]] {
      let answer = try call(connection, body, ["Content-Encoding: gzip"])
      #expect(answer.head.hasPrefix("HTTP/1.1 400 ") && String(buffer: answer.body).contains("invalid_argument"))
    }
    #expect(try connection.status(.call()) == 200)
  }

  @Test(arguments: ["br", "GZIP", "gzip, gzip", "gzip\r\nContent-Encoding: gzip"])
  func encoding_whenUnknown_isUnimplemented(_ encoding: String) throws {
    let answer = try call(EmbeddedHTTPConnection(), [], ["Content-Encoding: \(encoding)"])
    #expect(answer.head.hasPrefix("HTTP/1.1 501 ") && answer.head.contains("accept-encoding: gzip, identity\r\n"))
  }
}
#endif
