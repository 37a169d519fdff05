import TTRPC
import TTRPCTransport
import TestSupport
import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol

/// A client against servers that are none: every call ends with an error, and nothing falls over.
@Suite(.timeLimit(.minutes(15))) struct MalformedAnswerTests {
  /// What a server might send to the first call, on stream 1, instead of an answer.
  static let malformedAnswers: [(String, [UInt8])] = [
    ("garbage", [0xFF, 0xFE, 0xFD]),
    ("HTTP", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
    ("an envelope that is none", RawFrame(2, id: 1, [0xFF]).bytes),
    ("a truncated envelope", RawFrame(2, id: 1, [0x12, 0x7F, 0x0A]).bytes),
    ("a truncated status", RawFrame(2, id: 1, [0x0A, 0x02, 0x08, 0x85]).bytes),
    ("a message that is none", RawFrame(2, id: 1, ProtobufBytes().field(2, [0xFF]).bytes).bytes),
    ("a message without its item", RawFrame(2, id: 1).bytes),
    (
      "text that is no UTF-8",
      RawFrame(2, id: 1, ProtobufBytes().field(2, ProtobufBytes().field(1, notUTF8)).bytes).bytes
    ),
    ("an answer on a stream that was not opened", RawFrame(2, id: 99).bytes),
    ("an answer on an even stream", RawFrame(2, id: 2).bytes),
    ("data on a unary stream", RawFrame(3, id: 1).bytes),
    ("a request", RawFrame(1, id: 1).bytes),
    ("a frame beyond the limit", RawFrame(2, id: 1, [], length: 0x00FF_FFFF).bytes),
    ("a frame beyond the limit on a stream that was not opened", RawFrame(2, id: 99, [], length: 0x00FF_FFFF).bytes),
  ]

  private static let notUTF8 = ProtobufBytes().field(1, "\(TestClient.id)").field(2, [0xC3, 0x28])
    .field(8, ProtobufBytes()).field(9, ProtobufBytes())

  @Test(arguments: malformedAnswers)
  func anAnswerThatIsNone_isAnError_thatBlamesTheServer(_ what: String, _ bytes: [UInt8]) async throws {
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
  func aConnectionThatIsOfNoMoreUse_endsEveryCallOnIt(_ bytes: [UInt8]) async throws {
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
        // And the next one gets a new connection.
        let next = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        try await peer.write(.response(try await peer.frame().id, RPCError(.itemNotFound(TestClient.id))))
        await #expect(throws: ToDoError.itemNotFound(TestClient.id)) { try await next.value }
      }
    }
  }

  @Test func aConnectionThatClosesInTheMiddleOfAnAnswer_endsTheCall() async throws {
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

  @Test func frameTypesThatComeLater_areSkipped() async throws {
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
