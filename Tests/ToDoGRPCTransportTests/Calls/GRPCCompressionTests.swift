#if GRPC
import NIOCore
import NIOHPACK
import ToDoCompression
import ToDoGRPCTransport
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing

/// Calls with compressed messages.
@Suite(.timeLimited) struct GRPCCompressionTests {
  private static let gzip = ("grpc-encoding", "gzip")
  private let methods = TestMethods()

  private func with(_ body: @Sendable (HTTP2TestClient) async throws -> Void) async throws {
    try await GRPCTestServer.with(methods.table) { server in
      try await HTTP2TestClient.with(server.endpoint) { try await body($0) }
    }
  }

  /// Calls a method with a message.
  private func call(
    _ client: HTTP2TestClient, _ method: String, _ message: [UInt8], _ headers: [(String, String)]
  ) async throws -> HTTP2TestStream.Answer {
    let stream = try await client.open()
    try await stream.send(headers: HTTP2TestStream.headers(method, headers))
    try await stream.send(message, endStream: true)
    return try await stream.answer.get()
  }

  /// A message with its prefix.
  private func compressed(_ text: String) throws -> [UInt8] {
    var bytes = ByteBuffer()
    try Gzip.compress(ByteBuffer(bytes: HTTP2TestStream.message(text).dropFirst(5)), into: &bytes)
    return HTTP2TestStream.prefix(bytes.readableBytes, flag: 1) + bytes.readableBytesView
  }

  private let text = String(repeating: "Dinner at Rossi ", count: 1000)

  @Test func call_whenCompressed_hasCompressedResponse() async throws {
    try await with { client async throws in
      let answer = try await call(client, "Say", compressed(text), [Self.gzip])
      #expect(answer.status == .ok)
      #expect(answer.headers["grpc-encoding"] == ["gzip"])
      #expect(answer.data.count < text.utf8.count / 10)
      var decoder = MessageDecoder(limit: 1 << 20)
      decoder.encoding = .gzip
      decoder.append(ByteBuffer(bytes: answer.data))
      let message = try #require(try decoder.next())
      #expect(Array(message.readableBytesView) == Array(HTTP2TestStream.message(text).dropFirst(5)))
      #expect(!decoder.isInsideMessage)
    }
  }

  @Test func response_whenSmall_isNotCompressed() async throws {
    try await with { client async throws in
      for message in [try compressed("x"), HTTP2TestStream.message("x")] {
        let answer = try await call(client, "Say", message, [Self.gzip])
        #expect(answer.status == .ok && answer.headers["grpc-encoding"] == ["gzip"])
        #expect(answer.data == HTTP2TestStream.message("x"))
      }
    }
  }

  @Test func response_whenCallerCannotReadGzip_isNotCompressed() async throws {
    try await with { client async throws in
      let answer = try await call(client, "Say", compressed(text), [Self.gzip, ("grpc-accept-encoding", "identity")])
      #expect(answer.status == .ok && answer.headers["grpc-encoding"].isEmpty)
      #expect(answer.data == HTTP2TestStream.message(text))
    }
  }

  @Test func response_whenCallIsNotCompressed_isNeither() async throws {
    try await with { client async throws in
      let headers = [("grpc-accept-encoding", "identity,gzip")]
      let answer = try await call(client, "Say", HTTP2TestStream.message(text), headers)
      #expect(answer.status == .ok && answer.headers["grpc-encoding"].isEmpty)
      #expect(answer.data == HTTP2TestStream.message(text))
    }
  }

  @Test func responses_ofAStream_areEachCompressedIfLarge() async throws {
    try await with { client async throws in
      let answer = try await call(client, "Count", compressed("3"), [Self.gzip])
      #expect(answer.status == .ok)
      #expect(answer.data == ["0", "1", "2"].flatMap { HTTP2TestStream.message($0) })
    }
  }

  @Test func bomb_isRejected_andConnectionStays() async throws {
    try await with { client async throws in
      var bomb = ByteBuffer()
      try Gzip.compress(ByteBuffer(repeating: 0, count: 64 << 20), into: &bomb)
      let message = HTTP2TestStream.prefix(bomb.readableBytes, flag: 1) + bomb.readableBytesView
      let stream = try await client.open()
      try await stream.send(headers: HTTP2TestStream.headers("Say", [Self.gzip]))
      // The client does not wait, because the server may reset the stream before it has read everything.
      stream.sendWithoutWaiting(message)
      #expect(try await stream.answer.get().status == .resourceExhausted)
      #expect(try await client.call("Say").status == .ok)
    }
  }

  @Test func message_whenNotGzip_isInternal_andConnectionStays() async throws {
    try await with { client async throws in
      let answer = try await call(client, "Say", HTTP2TestStream.message("x", flag: 1), [Self.gzip])
      #expect(answer.status == .internal)
      #expect(try await client.call("Say").status == .ok)
    }
  }

  @Test func error_ofACompressedCall_isReadable() async throws {
    try await with { client async throws in
      let stream = try await client.open()
      try await stream.send(headers: HTTP2TestStream.headers("Nothing", [Self.gzip]))
      // The client does not wait, because the server resets the stream without its message.
      stream.sendWithoutWaiting(try compressed(text))
      let answer = try await stream.answer.get()
      #expect(answer.status == .unimplemented && answer.data.isEmpty)
    }
  }
}
#endif
