#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoCompression
import ToDoRPC
import ToDoTestSupport
import ToDoTransport

@testable import ToDoHTTPTransport

/// Calls with gRPC-Web.
@Suite(.timeLimited) struct GRPCWebTests {
  private static let binary = "application/grpc-web"
  private static let text = "application/grpc-web-text"

  private func call(
    _ connection: EmbeddedHTTPConnection, _ body: [UInt8], to method: String = "Say", type: String = binary,
    headers: [String] = []
  ) throws -> Response {
    let head = String.request(
      "POST /test.Texts/\(method) HTTP/1.1",
      ["Host: localhost", "Content-Type: \(type)", "Content-Length: \(body.count)"] + headers)
    connection.receive(bytes: (Array(head.utf8) + body)[...])
    return try Response(connection.sentBytes())
  }

  /// A response, divided into head and body.
  private struct Response {
    let head: String
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
      let end = try #require(bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) })
      head = String(decoding: bytes[..<(end + 2)], as: UTF8.self)
      body = Array(bytes[(end + 4)...])
    }
  }

  private func frame(_ message: String, flags: UInt8 = 0) -> [UInt8] {
    [flags, 0, 0, 0, UInt8(message.utf8.count)] + Array(message.utf8)
  }

  private var end: [UInt8] { [0x80] + [0, 0, 0, 16] + Array("grpc-status: 0\r\n".utf8) }

  // MARK: Unary calls

  @Test(arguments: [binary, "application/grpc-web+proto", "Application/gRPC-Web+Proto; charset=utf-8"])
  func call_returnsMessage_andTrailers(_ type: String) throws {
    let connection = try EmbeddedHTTPConnection()
    let response = try call(connection, frame("Milk"), type: type, headers: ["X-Grpc-Web: 1"])
    #expect(response.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(response.head.contains("content-type: application/grpc-web+proto\r\n"))
    #expect(response.body == frame("Milk") + end)
    #expect(connection.isOpen)
  }

  @Test func call_asText_returnsText() throws {
    let connection = try EmbeddedHTTPConnection()
    // The client has encoded the prefix and the message one by one.
    let body = Array("AAAAAAQ=TWlsaw==".utf8)
    for type in [Self.text, Self.text + "+proto"] {
      let response = try call(connection, body, type: type)
      #expect(response.head.contains("content-type: application/grpc-web-text+proto\r\n"))
      #expect(ByteBuffer(bytes: response.body).base64Decoded == ByteBuffer(bytes: frame("Milk") + end))
    }
  }

  @Test(arguments: ["AAAAAAQ", "AAAAAAQ=TWlsaw=", "AAAAA!Q=", "AAAAAAR=", "=AAA", "A===", "AA=A", "\u{ff}\u{ff}"])
  func call_whenTextIsNotBase64_isInvalidArgument(_ body: String) throws {
    let connection = try EmbeddedHTTPConnection()
    let response = try call(connection, Array(body.utf8), type: Self.text)
    #expect(response.head.contains("grpc-status: 3\r\n") && response.body.isEmpty)
    #expect(response.head.contains("grpc-message: the body is not base64"))
    #expect(try call(connection, frame("a")).body == frame("a") + end)
  }

  @Test func call_whenItFails_hasTrailersOnly() throws {
    let error = RPCError(.notFound, reason: "NONE", domain: "test", "no \"π\"\n")
    let method = ServerMethod.unary(MethodName(service: "test.Texts", method: "Fail")) { _, _, _ in throw error }
    let connection = try EmbeddedHTTPConnection(to: [method])
    let response = try call(connection, frame(""), to: "Fail")
    #expect(response.head.hasPrefix("HTTP/1.1 200 OK\r\n") && response.body.isEmpty)
    #expect(response.head.contains("grpc-status: 5\r\ngrpc-message: no \"%CF%80\"%0A\r\n"))
    #expect(response.head.contains("grpc-status-details-bin: "))
    #expect(connection.isOpen)
  }

  @Test(
    arguments: [
      ([], 12), ([0], 3), ([0, 0, 0, 0, 2, 97], 3), ([0, 0, 0, 0, 1, 97, 98], 12), ([1, 0, 0, 0, 1, 97], 13),
      ([0x80, 0, 0, 0, 0], 13), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 12),
    ] as [([UInt8], Int)])
  func call_whenBodyIsNotOneMessage_fails(_ body: [UInt8], _ status: Int) throws {
    let response = try call(EmbeddedHTTPConnection(), body)
    #expect(response.head.contains("grpc-status: \(status)\r\n"))
  }

  @Test(
    arguments: [
      ("Grpc-Timeout: 1", 3), ("Grpc-Timeout: 123456789S", 3), ("Grpc-Timeout: 0S", 4), ("Grpc-Timeout: 1H", nil),
      ("Grpc-Encoding: br", 12), ("Token-Bin: !", 3),
    ] as [(String, Int?)])
  func header_whenUnusual_hasStatus(_ header: String, _ status: Int?) throws {
    let response = try call(EmbeddedHTTPConnection(), frame("a"), headers: [header])
    #expect(response.head.contains("grpc-status: ") == (status != nil))
    if let status { #expect(response.head.contains("grpc-status: \(status)\r\n")) }
  }

  @Test func metadata_reachesMethod_withoutHeadersOfProtocol() throws {
    let method = ServerMethod.unary(MethodName(service: "test.Texts", method: "Tell")) { _, _, call in
      let pairs = call.metadata.pairs.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      return .ready(OutgoingMessage(encoded: ByteBuffer(string: pairs)))
    }
    let headers = ["Authorization: Bearer x", "Grpc-Timeout: 1S", "Accept: a", "Key-Bin: YQ"]
    let response = try call(EmbeddedHTTPConnection(to: [method]), frame(""), to: "Tell", headers: headers)
    #expect(response.body == frame("authorization=Bearer x key-bin=YQ==") + end)
  }

  @Test func call_whenItsTimeIsOver_isDeadlineExceeded() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(
      .call("Hold", ["Grpc-Timeout: 1500m"], type: Self.binary, body: String(decoding: frame(""), as: UTF8.self)))
    connection.pass(.milliseconds(1500))
    #expect(try connection.sent().contains("grpc-status: 4\r\n"))
  }

  @Test func body_whenTooLarge_is413() throws {
    let head = String.request(
      "POST /test.Texts/Say HTTP/1.1",
      ["Host: localhost", "Content-Type: \(Self.text)", "Content-Length: \(GRPCWeb.maximumText * 2)"])
    #expect(try EmbeddedHTTPConnection().status(head) == 413)
  }

  // MARK: Compressed messages

  @Test func call_whenCompressed_hasCompressedResponse() throws {
    let text = ByteBuffer(string: String(repeating: "Dinner at Rossi ", count: 1000))
    var compressed = ByteBuffer()
    try Gzip.compress(text, into: &compressed)
    let body = Array(Envelope.frame(compressed, flags: 1).readableBytesView)
    let connection = try EmbeddedHTTPConnection()
    let response = try call(connection, body, headers: ["Grpc-Encoding: gzip"])
    #expect(response.head.contains("grpc-encoding: gzip\r\n") && response.body.first == 1)
    #expect(response.body == body + end)
    let identity = try call(
      connection, body, headers: ["Grpc-Encoding: gzip", "Grpc-Accept-Encoding: identity"])
    #expect(!identity.head.contains("grpc-encoding") && identity.body.count > text.readableBytes)
  }

  @Test func call_whenNotGzip_isInvalidArgument() throws {
    let response = try call(EmbeddedHTTPConnection(), frame("Milk", flags: 1), headers: ["Grpc-Encoding: gzip"])
    #expect(response.head.contains("grpc-status: 3\r\n"))
  }

  // MARK: Streams

  private let counting: ServerMethod = {
    var method = ServerMethod.streaming(MethodName(service: "test.Texts", method: "Count")) { bytes, _ in
      let count = bytes.count
      return { _, _, outgoing in
        for number in 0..<count { try await outgoing.send(OutgoingMessage(encoded: ByteBuffer(string: "\(number)"))) }
        if count == 3 { throw RPCError(.aborted, reason: "THREE", domain: "test", "three") }
      }
    }
    method.runsOnEventLoop = true
    return method
  }()

  @Test func stream_returnsMessages_andTrailersInLastFrame() throws {
    let response = try call(EmbeddedHTTPConnection(to: [counting]), frame("ab"), to: "Count")
    #expect(response.head.contains("transfer-encoding: chunked\r\n"))
    let chunks = "6\r\n\0\0\0\0\u{1}0\r\n6\r\n\0\0\0\0\u{1}1\r\n15\r\n".utf8
    #expect(response.body == Array(chunks) + end + Array("\r\n0\r\n\r\n".utf8))
  }

  @Test func stream_asText_returnsWholeGroups() throws {
    let response = try call(
      EmbeddedHTTPConnection(to: [counting]), Array("AAAAAAFh".utf8), to: "Count", type: Self.text)
    #expect(
      String(decoding: response.body, as: UTF8.self)
        == "8\r\nAAAAAAEw\r\n1c\r\ngAAAABBncnBjLXN0YXR1czogMA0K\r\n0\r\n\r\n")
  }

  @Test func stream_whenItFails_endsWithStatus() throws {
    let response = try call(EmbeddedHTTPConnection(to: [counting]), frame("abc"), to: "Count")
    let body = String(decoding: response.body, as: UTF8.self)
    #expect(body.contains("grpc-status: 10\r\ngrpc-message: three\r\n") && body.hasSuffix("\r\n0\r\n\r\n"))
  }

  // MARK: Browsers

  @Test func page_whenPermitted_mayReadStatus() throws {
    let connection = try EmbeddedHTTPConnection(origins: OriginPolicy(origins: ["https://lists.example"]))
    let response = try call(connection, frame("a"), headers: ["Origin: https://lists.example"])
    #expect(
      response.head.contains(
        "access-control-expose-headers: grpc-message, grpc-status, grpc-status-details-bin\r\n"))
    connection.receive(
      .request(
        "OPTIONS /test.Texts/Say HTTP/1.1",
        [
          "Host: localhost", "Origin: https://lists.example", "Access-Control-Request-Method: POST",
          "Access-Control-Request-Headers: x-grpc-web",
        ]))
    let preflight = try connection.sent()
    #expect(preflight.contains("grpc-timeout, x-grpc-web, x-user-agent\r\n"))
  }
}
#endif
