#if HTTP
import Foundation
import NIOCore
import NIOEmbedded
import Testing
import ToDoCompression
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoHTTPTransport

/// Calls with compressed bodies.
@Suite(.timeLimited, .blocking) struct CompressedCallTests {
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

  /// A long request is decompressed on another thread.
  @Test(arguments: [(100 << 10, 200), (16 << 20, 429)])
  func request_whenLong_isDecompressedUpToTheLimitOfMessages(_ size: Int, _ status: Int) async throws {
    try await withTemporaryDirectory { directory in
      // A field that no message has, with its length in four bytes.
      var message = ByteBuffer(bytes: [0xFA, 0x7F])
      for index in 0..<4 {
        let bits = UInt8(size >> (index * 7) & 0x7F)
        message.writeInteger(index < 3 ? bits | 0x80 : bits)
      }
      message.writeRepeatingByte(0, count: size)
      let body = try compressed(message)
      try Data(body).write(to: URL(filePath: "\(directory)/body"))
      try await HTTPTestServer.with(TestMethods().table) { server async throws in
        let run = try CurlRun([
          "--header", "content-type: application/proto", "--header", "content-encoding: gzip", "--data-binary",
          "@\(directory)/body", server.url("test.Texts/Say"),
        ])
        #expect(run.status == status)
        #expect(status == 200 || run.body.contains("resource_exhausted"))
      }
    }
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

  // MARK: Streams

  /// Sends a call of a stream that returns its request, and returns the response.
  private func stream(_ body: [UInt8], _ headers: [String]) throws -> String {
    var method = ServerMethod.streaming(MethodName(service: "test.Texts", method: "Repeat")) { bytes, _ in
      let text = ByteBuffer(bytes: bytes)
      return { _, _, outgoing in try await outgoing.send(OutgoingMessage(encoded: text)) }
    }
    method.runsOnEventLoop = true
    let connection = try EmbeddedHTTPConnection(to: [method])
    let length = "Content-Length: \(body.count)"
    let head = String.request(
      "POST /test.Texts/Repeat HTTP/1.1",
      ["Host: localhost", "Content-Type: application/connect+proto", length] + headers)
    connection.receive(bytes: (Array(head.utf8) + body)[...])
    return try connection.sent()
  }

  @Test(arguments: [0, 1] as [UInt8]) func requestOfStream_mayBeCompressed(_ flag: UInt8) throws {
    let message = flag == 1 ? try compressed("Milk") : Array("Milk".utf8)
    let body = [flag, 0, 0, 0, UInt8(message.count)] + message
    #expect(try stream(body, ["Connect-Content-Encoding: gzip"]).contains("\0\0\0\0\u{4}Milk"))
    #expect(try stream(body, []).contains("Milk") == (flag == 0))
  }

  @Test(arguments: ["Content-Encoding: gzip", "Connect-Content-Encoding: br"])
  func encodingOfStream_whenUnknown_isUnimplemented(_ encoding: String) throws {
    #expect(try stream([0, 0, 0, 0, 0], [encoding]).contains(#"{"error":{"code":"unimplemented","#))
  }
}
#endif
