import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// A client of servers that violate the protocol: every call ends with an error.
@Suite(.timeLimited) struct MalformedResponseTests {
  /// The bytes that a server sends in place of a response to the first call, on stream 1.
  static let malformedResponses: [(String, [UInt8])] = [
    ("garbage", [0xFF, 0xFE, 0xFD]),
    ("HTTP", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
    ("an invalid envelope", RawFrame(2, id: 1, [0xFF]).bytes),
    ("a truncated envelope", RawFrame(2, id: 1, [0x12, 0x7F, 0x0A]).bytes),
    ("a truncated status", RawFrame(2, id: 1, [0x0A, 0x02, 0x08, 0x85]).bytes),
    ("an invalid message", RawFrame(2, id: 1, ProtobufBytes().field(2, [0xFF]).bytes).bytes),
    ("a message without its item", RawFrame(2, id: 1).bytes),
    (
      "text that is not valid UTF-8",
      RawFrame(2, id: 1, ProtobufBytes().field(2, ProtobufBytes().field(1, notUTF8)).bytes).bytes
    ),
    ("a response on a stream that was not opened", RawFrame(2, id: 99).bytes),
    ("a response on an even stream", RawFrame(2, id: 2).bytes),
    ("data on a unary stream", RawFrame(3, id: 1).bytes),
    ("a request", RawFrame(1, id: 1).bytes),
    ("a frame beyond the limit", RawFrame(2, id: 1, [], length: 0x00FF_FFFF).bytes),
    ("a frame beyond the limit on a stream that was not opened", RawFrame(2, id: 99, [], length: 0x00FF_FFFF).bytes),
  ]

  private static let notUTF8 = ProtobufBytes().field(1, "\(TestClient.id)").field(2, [0xC3, 0x28])
    .field(8, ProtobufBytes()).field(9, ProtobufBytes())

  @Test(arguments: malformedResponses)
  func call_whenResponseIsMalformed_throws(_ what: String, _ bytes: [UInt8]) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let result = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        _ = try await peer.frame()
        try await peer.write(bytes)
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect([.unavailable, .internal, .resourceExhausted].contains(error?.code), "\(String(describing: error))")
      }
    }
  }

  @Test(arguments: [[0xFF], RawFrame(2, id: 99).bytes, RawFrame(1, id: 1).bytes, []] as [[UInt8]])
  func calls_whenConnectionBecomesUnusable_fail(_ bytes: [UInt8]) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<10 {
            group.addTask { await #expect(throws: RPCError.self) { try await TestClient.Call.get.make(client) } }
          }
          let peer = try await server.accept()
          for _ in 0..<10 { _ = try await peer.frame() }
          try await peer.write(bytes)
          if bytes.isEmpty { await peer.close() }
          try await group.waitForAll()
        }
        // The next call gets a new connection.
        let next = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        try await peer.write(.response(try await peer.frame().id, RPCError(.itemNotFound(TestClient.id))))
        await #expect(throws: ToDoError.itemNotFound(TestClient.id)) { try await next.value }
      }
    }
  }

  @Test func call_whenConnectionClosesInsideAResponse_fails() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let result = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        _ = try await peer.frame()
        try await peer.write([0, 0, 0, 100, 0, 0, 0, 1, 2, 0, 1, 2, 3])
        await peer.close()
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error?.code == .unavailable)
      }
    }
  }

  @Test func frame_whenTypeIsUnknown_isSkipped() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let result = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        let id = try await peer.frame().id
        try await peer.write(
          RawFrame(9, id: 99, flags: 0xFF, [1, 2, 3]), .response(id, RPCError(.itemNotFound(TestClient.id))))
        await #expect(throws: ToDoError.itemNotFound(TestClient.id)) { try await result.value }
      }
    }
  }
}
