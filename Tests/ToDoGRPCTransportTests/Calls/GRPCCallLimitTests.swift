#if GRPC
import ToDoGRPCTransport
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoProtocol
import ToDoSupport

// Serialized because some tests send as much as they can.
/// The limits of calls and connections over gRPC.
@Suite(.timeLimited) struct GRPCCallLimitTests: GRPCCallSuite {
  let methods = TestMethods()

  private static let limit = 4 << 20
  /// The bytes before the text in a message of a few megabytes: the field's number, and the length in four bytes.
  private static let overhead = 5

  // MARK: Limits

  @Test func message_whenAtMaximumLength_isEchoed() async throws {
    try await with { _, client async throws in
      let text = String(repeating: "x", count: Self.limit - Self.overhead)
      #expect(try await client.say(text) == text)
    }
  }

  @Test func request_whenTooLong_isRejected_andConnectionStays() async throws {
    try await with { _, client async throws in
      let text = String(repeating: "x", count: Self.limit - Self.overhead + 1)
      await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") { _ = try await client.say(text) }
      #expect(try await client.say("other") == "other")
    }
  }

  @Test func response_whenTooLong_isReplacedByError() async throws {
    try await with { _, client in
      await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") { _ = try await client.say("\(Self.limit)", to: "Large") }
    }
  }

  /// A method that returns each message of the caller.
  private static let echo = {
    var method = ServerMethod.streaming(TestMethods.name("EchoMany")) { bytes, arena in
      let first = try TestMethods.decode(bytes, arena)
      return { _, incoming, outgoing in
        try await outgoing.send(TestMethods.message(first))
        for try await message in incoming {
          try await outgoing.send(TestMethods.message(TestMethods.decode(message)))
        }
      }
    }
    method.takesManyMessages = true
    return method
  }()

  @Test func messages_whenMethodTakesMany_eachGetResponse() async throws {
    try await with([Self.echo]) { _, client async throws in
      let texts = (0..<100).map { String(repeating: "x", count: 1000 * $0) }
      let requests = texts.map { HealthMethods.check.request.encoded($0) }
      try await client.stream(Self.echo.name, requests) { messages in
        var answers: [String] = []
        for try await message in messages { answers.append(try HealthMethods.check.request.decode(bytes: message)) }
        #expect(answers == texts)
      }
      try await client.stream(Self.echo.name, []) { for try await _ in $0 { Issue.record("nothing was said") } }
    }
  }

  @Test func message_whenTooLongAmongOthers_isRejected() async throws {
    try await with([Self.echo]) { _, client in
      await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") {
        let requests = [0, 70_000, Self.limit].map {
          HealthMethods.check.request.encoded(String(repeating: "x", count: $0))
        }
        try await client.stream(Self.echo.name, requests) { for try await _ in $0 {} }
      }
    }
  }

  @Test func streamingCall_whenTooManyAreOpen_isRejected_untilOneEnds() async throws {
    var limits = ServerLimits.patient
    limits.maximumStreamingCalls = 1
    try await GRPCTestServer.with(methods.table, limits: limits) { server in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        let held = Task { try await client.texts("CountAndHold", "1") }
        try await methods.journal.wait(for: "started 1")
        await expect(.resourceExhausted, "TOO_MANY_STREAMS") { _ = try await client.texts("Count", "2") }
        #expect(try await client.say("other") == "other")
        methods.gate.open()
        _ = try await held.value
        #expect(try await client.texts("Count", "2") == ["0", "1"])
      }
    }
  }

  @Test func metadata_whenOnePairAboveLimit_isRejected() async throws {
    let count = ServerMethod.unary(TestMethods.name("CountPairs")) { _, _, call in
      .ready(TestMethods.message(String(call.metadata.pairs.count)))
    }
    @Sendable func pairs(_ count: Int) -> [String: String] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("key-\($0)", "") })
    }
    let limit = ServerLimits().maximumMetadataPairs
    try await with([count]) { _, client async throws in
      // The client adds pairs of its own.
      let own = try #require(Int(try await client.say("", to: "CountPairs")))
      #expect(try await client.texts("CountPairs", "", metadata: pairs(limit - own)) == [String(limit)])
      await expect(.resourceExhausted, "MESSAGE_TOO_LARGE") {
        _ = try await client.texts("CountPairs", "", metadata: pairs(limit - own + 1))
      }
    }
  }

  @Test func connection_whenAddressIsAtItsLimit_isClosed() async throws {
    var limits = ServerLimits.patient
    limits.maximumConnectionsPerAddress = 1
    try await GRPCTestServer.with(methods.table, limits: limits) { server in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        #expect(try await client.say("first") == "first")
        try await RawClient.with(server.endpoint) { other async throws in
          #expect(try await other.framesUntilClosed().isEmpty)
        }
        #expect(try await client.say("again") == "again")
      }
    }
  }

  @Test func connection_whenNoFrameArrives_isClosed() async throws {
    var limits = ServerLimits.patient
    limits.firstFrameTime = .milliseconds(20)
    try await GRPCTestServer.with(methods.table, limits: limits) { server in
      try await RawClient.with(server.endpoint) { _ = try? await $0.framesUntilClosed() }
    }
  }
}
#endif
