import Testing
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoSupport
import ToDoTestServers
import ToDoTestSupport

/// The limits of the metadata, elements, streams and unread messages of a connection.
@Suite(.timeLimited) struct CallLimitTests {
  private let methods = TestMethods()

  private func withServer(
    _ change: (inout ServerLimits) -> Void = { _ in }, _ body: (ServerChannel) async throws -> Void
  ) async throws {
    var configuration = ServerLimits()
    change(&configuration)
    try await ServerChannel.with(methods.table, configuration, body)
  }

  private func expectService(_ server: ServerChannel, _ id: UInt32) async throws {
    try await server.write(.request(id, "Say", "here"))
    #expect(try await server.frames().map { try $0.text } == ["here"])
  }

  // MARK: Metadata

  private func request(metadata pairs: Int, value: Int) -> RawFrame {
    let pair = ProtobufBytes().field(1, "k").field(2, String(repeating: "v", count: value))
    let envelope = (0..<pairs).reduce(ProtobufBytes(RawFrame.request(1, "Say", "m").data)) { bytes, _ in
      bytes.field(5, pair)
    }
    return RawFrame(1, id: 1, envelope.bytes)
  }

  @Test(arguments: [(64, 1), (1, 16_383), (64, 255)])
  func metadata_whenAtLimits_isAccepted(_ pairs: Int, _ value: Int) async throws {
    try await withServer { server async throws in
      try await server.write(request(metadata: pairs, value: value))
      #expect(try await server.frames().map { try $0.text } == ["m"])
    }
  }

  @Test(arguments: [(65, 1), (1, 16_384), (64, 256), (10_000, 0)])
  func metadata_whenAboveLimits_isRejected_andMethodDoesNotRun(_ pairs: Int, _ value: Int) async throws {
    try await withServer { server async throws in
      try await server.write(request(metadata: pairs, value: value))
      #expect(try await server.frames().map { try $0.error?.reason } == ["MESSAGE_TOO_LARGE"])
      #expect(methods.journal.events == [])
      try await expectService(server, 3)
    }
  }

  // MARK: Elements

  @Test(arguments: [
    (501, "INVALID_REQUEST"), (1001, "INVALID_REQUEST"), (ServerMethod.maximumBatchElements + 1, "MALFORMED_REQUEST"),
  ])
  func batch_whenTooManyItems_isRejected(_ count: Int, _ reason: String) async throws {
    let item = ProtobufBytes().field(1, ProtobufBytes().field(2, "title"))
    let batch = ProtobufBytes(Array(repeatElement(item.bytes, count: count).joined()))
    let table = MethodTable(
      serving: LocalToDoService(store: MemoryToDoItemStore()), health: HealthMonitor(services: []))
    try await TestServer.with(table) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        let response = try await client.response(to: .call(1, ToDoMethods.service, "BatchAddItems", batch))
        #expect(try response.error?.reason == reason)
      }
    }
  }

  @Test func batches_whenMalformed_closeConnection() async throws {
    let table = MethodTable(
      serving: LocalToDoService(store: MemoryToDoItemStore()), health: HealthMonitor(services: []))
    var limits = ServerLimits.patient
    limits.maximumStrikes = 3
    try await TestServer.with(table, configuration: limits) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        for id in [UInt32(1), 3, 5] {
          try await client.write(.call(id, ToDoMethods.service, "BatchAddItems", ProtobufBytes().field(1, [0xff])))
        }
        #expect(try await client.framesUntilClosed().map { try $0.error?.reason }.count == 3)
      }
    }
  }

  // MARK: Streams

  @Test func streamingCall_whenTooManyAreOpen_isRejected_untilHandlerFinishes() async throws {
    try await withServer({ $0.maximumStreamingCalls = 2 }) { server async throws in
      try await server.write(
        .request(1, "CountAndHold", "0", flags: 1), .request(3, "CollectStubbornly", "s", flags: 2),
        .request(5, "Hold", "unary"), .request(7, "CountAndHold", "refused", flags: 1))
      let frames = try await server.frames()
      #expect(frames.map(\.id) == [7])
      #expect(try frames[0].error == .tooManyStreams(limit: 2))
      #expect(methods.journal.count("started refused") == 0)
      // The call has ended, but it counts until its handler has finished.
      try await server.write(.cancel(9, stream: 3), .request(11, "CountAndHold", "refused", flags: 1))
      #expect(try await server.frames().map(\.id) == [3, 9, 11])
      methods.gate.open()
      try await methods.journal.wait(for: "cancelled s")
      // The connection learns in a later turn of its event loop that the handler has finished.
      var (id, error): (UInt32, RPCError?) = (11, nil)
      repeat {
        id += 2
        try await server.write(.request(id, "Count", "0", flags: 1))
        error = try await server.frame(of: id).error
      } while error == .tooManyStreams(limit: 2)
      #expect(error == nil)
      #expect(methods.journal.count("started refused") == 0)
    }
  }

  @Test func messages_whenHandlerDoesNotRead_areBoundedInBytes() async throws {
    try await withServer { server async throws in
      try await server.write(.request(1, "Collect", "c", flags: 2))
      let message = RawFrame.data(1, String(repeating: "x", count: 100_000))
      try await server.write(message, message)
      try await server.write(.request(3, "Say", "before"))
      #expect(try await server.frames().map { try $0.text } == ["before"])
      try await server.write(message, .request(5, "Say", "behind"), .data(1, "", flags: 1))
      #expect(try await server.frames() == [])
      methods.gate.open()
      try await methods.journal.wait(for: "finished c")
      try await server.write(.request(7, "Say", "after"))
      var texts: Set<String?> = []
      for frame in try await server.frames() where frame.flags == 0 { texts.insert(try frame.text) }
      #expect(texts == ["behind", "4", "after"])
    }
  }

  // MARK: Authentication

  /// `Say`, which authenticates its caller if the request states so.
  private var authenticating: MethodTable {
    let login = ServerMethod.unary(TestMethods.name("Login")) { _, _, call in
      .pending {
        call.authenticated()
        return TestMethods.message("welcome")
      }
    }
    return MethodTable(methods.methods + [login])
  }

  @Test func frameLength_beforeAuthentication_isSmall() async throws {
    var configuration = ServerLimits()
    configuration.requiresAuthentication = true
    configuration.maximumFrameLengthBeforeAuthentication = 1000
    let large = String(repeating: "x", count: 2000)
    try await ServerChannel.with(authenticating, configuration) { server async throws in
      try await server.write(.request(1, "Say", large))
      #expect(try await server.frames().map { try $0.error?.metadata } == [["max_bytes": "1000"]])
      try await server.write(.request(3, "Login"), .request(5, "Say", large))
      #expect(try await server.frames().map { try $0.text } == ["welcome", large])
    }
  }

  @Test(arguments: [false, true])
  func connection_afterTooManyInvalidCredentials_isClosed(isImmediate: Bool) async throws {
    var configuration = ServerLimits()
    configuration.maximumStrikes = 3
    let gate = Gate()
    if isImmediate { gate.open() }
    let reject = ServerMethod.unary(TestMethods.name("Reject")) { _, _, call in
      .pending {
        try await gate.wait()
        call.rejectedCredentials()
        throw RPCError(.unauthenticated, reason: "UNAUTHENTICATED", "invalid token")
      }
    }
    try await ServerChannel.with(MethodTable([reject]), configuration) { server async throws in
      try await server.write(.request(1, "Reject"), .request(3, "Reject"))
      #expect(server.isOpen)
      try await server.write(.request(5, "Reject"))
      gate.open()
      var answers: [RawFrame] = []
      while answers.count < 3 {
        try Task.checkCancellation()
        await server.advance(by: .milliseconds(1))
        answers += try await server.frames()
      }
      #expect(try answers.map { try $0.error?.reason } == Array(repeating: "UNAUTHENTICATED", count: 3))
      while server.isOpen {
        try Task.checkCancellation()
        await server.advance(by: .milliseconds(1))
      }
    }
  }

  @Test func frameLength_whenCredentialsAreNotRequired_isFull() async throws {
    try await withServer { server async throws in
      try await server.write(.request(1, "Say", String(repeating: "x", count: 1_000_000)))
      #expect(try await server.frames().map { try $0.text?.count } == [1_000_000])
    }
  }
}
