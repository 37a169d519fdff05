#if GRPC
import NIOCore
import NIOHPACK
import NIOHTTP2
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing

// Serialized because some tests send as much as they can.
/// Clients that follow HTTP/2 but violate gRPC, or that exhaust what the two permit.
@Suite(.timeLimited) struct HostileCallTests {
  private let methods = TestMethods()

  private func with(
    limits: ServerLimits = .patient,
    _ body: (GRPCTestServer, HTTP2TestClient) async throws -> Void
  ) async throws {
    try await GRPCTestServer.with(methods.table, limits: limits) { server async throws in
      try await HTTP2TestClient.with(server.endpoint) { try await body(server, $0) }
    }
  }

  private func expectService(_ client: HTTP2TestClient) async throws {
    #expect(try await client.call("Say").status == .ok)
  }

  // MARK: Headers

  @Test(arguments: ["-1S", "-99999999H", "-0n", "", "S", "1", "1s", "999999999S", "1S,1S", "+1S", "\u{0}"])
  func timeout_whenMalformed_isInvalidArgument_andConnectionStays(_ timeout: String) async throws {
    try await with { _, client async throws in
      for method in ["Say", "Count"] {
        let answer = try await client.call(method, "1", headers: [("grpc-timeout", timeout)])
        // HTTP/2 itself rejects some bytes.
        #expect(answer.status == .invalidArgument || answer.reset == .protocolError)
      }
      try await expectService(client)
    }
  }

  @Test func timeout_whenLong_isAccepted() async throws {
    try await with { _, client async throws in
      for timeout in ["99999999H", "1H", "99999999S", "99999999m"] {
        #expect(try await client.call("Count", "1", headers: [("grpc-timeout", timeout)]).status == .ok)
      }
    }
  }

  @Test(arguments: [
    (("content-type", "text/plain"), "415"), (("content-type", ""), "415"), ((":method", "GET"), "405"),
  ])
  func call_whenNotGRPC_hasStatusOfHTTP(_ header: (String, String), _ status: String) async throws {
    try await with { _, client async throws in
      #expect(try await client.call("Say", headers: [header]).headers.first(name: ":status") == status)
      try await expectService(client)
    }
  }

  @Test(arguments: [
    ((":path", "/"), StatusCode.unimplemented), ((":path", "/test.Texts/Say/x"), .unimplemented),
    ((":path", "/test.Texts/\u{1F957}"), .unimplemented), (("grpc-encoding", "br"), .unimplemented),
    (("x-bin", "A"), .invalidArgument),
    (("grpc-previous-rpc-attempts", "-1"), .ok), (("grpc-accept-encoding", ",,\u{80},"), .ok),
    (("user-agent", ""), .ok), (("te", "gzip"), .ok),
  ])
  func call_whenHeaderIsUnusual_hasStatus(_ header: (String, String), _ status: StatusCode) async throws {
    try await with { _, client async throws in
      let answer = try await client.call("Say", headers: [header])
      // HTTP/2 itself rejects some bytes.
      #expect(answer.status == status || answer.reset == .protocolError)
      try await expectService(client)
    }
  }

  @Test func headers_whenLargerThanMetadataLimit_areRejected_andConnectionStays() async throws {
    try await with { _, client async throws in
      // The client obeys the server's header limit once it has the server's settings.
      try await expectService(client)
      let answer = try await client.call("Say", headers: [("x", String(repeating: "a", count: 20_000))])
      #expect(answer.status == .resourceExhausted)
      try await expectService(client)
    }
  }

  // MARK: Messages

  @Test(arguments: ["Say", "Hold", "Count", "CountAndHold"])
  func call_whenHeadersEndStream_isUnimplemented(_ method: String) async throws {
    try await with { _, client async throws in
      let stream = try await client.open()
      try await stream.send(headers: HTTP2TestStream.headers(method), endStream: true)
      #expect(try await stream.answer.get().status == .unimplemented)
      try await expectService(client)
    }
  }

  @Test(arguments: ["Say", "Count"]) func call_whenEmptyDataEndsStream_isUnimplemented(
    _ method: String
  ) async throws {
    try await with { _, client async throws in
      let stream = try await client.open()
      try await stream.send(headers: HTTP2TestStream.headers(method))
      try await stream.send([], endStream: true)
      #expect(try await stream.answer.get().status == .unimplemented)
    }
  }

  @Test(arguments: [1, 2, 0xff] as [UInt8])
  func message_whenFlagIsNotZero_isInternal_andConnectionStays(_ flag: UInt8) async throws {
    try await with { _, client async throws in
      let stream = try await client.open()
      try await stream.send(headers: HTTP2TestStream.headers("Say"))
      try await stream.send(HTTP2TestStream.message("x", flag: flag), endStream: true)
      #expect(try await stream.answer.get().status == .internal)
      try await expectService(client)
    }
  }

  @Test func request_whenItDoesNotArrive_isDeadlineExceeded() async throws {
    var limits = ServerLimits.patient
    limits.frameTime = .milliseconds(20)
    try await with(limits: limits) { _, client async throws in
      for bytes in [[], HTTP2TestStream.prefix(10), HTTP2TestStream.message("x")] {
        let stream = try await client.open()
        try await stream.send(headers: HTTP2TestStream.headers("Say"))
        // On a busy machine, the time may pass before the bytes are sent.
        if !bytes.isEmpty { try? await stream.send(bytes) }
        #expect(try await stream.answer.get().status == .deadlineExceeded)
      }
    }
  }

  // MARK: Memory

  @Test func stream_whenClientDoesNotRead_keepsNoWrittenMessage() async throws {
    try await with { _, client async throws in
      let stream = try await client.open(isReading: false)
      try await stream.send(headers: HTTP2TestStream.headers("SendTraced"))
      try await stream.send(HTTP2TestStream.message("1000000"), endStream: true)
      try await methods.journal.wait(for: "released", count: TestMethods.tracedMessages)
      #expect(methods.journal.count("sent") < TestMethods.tracedMessages)
    }
  }

  @Test func connection_whenIncompleteRequestsExceedTheBuffers_isClosed_andOthersAreServed() async throws {
    var limits = ServerLimits.patient
    limits.maximumBufferedBytes = 64 << 10
    limits.frameTime = .seconds(3600)
    (limits.defaultDeadline, limits.maximumDeadline) = (.seconds(3600), .seconds(3600))
    try await with(limits: limits) { server, hoarder async throws in
      for _ in 0..<4 {
        // The server may close the connection before the last one.
        guard let stream = try? await hoarder.open() else { break }
        try? await stream.send(headers: HTTP2TestStream.headers("Say"))
        stream.sendWithoutWaiting(HTTP2TestStream.prefix(100_000) + [UInt8](repeating: 0, count: 30_000))
      }
      try await hoarder.closed()
      try await HTTP2TestClient.with(server.endpoint) { try await expectService($0) }
    }
  }

  // MARK: Ordinary clients

  @Test func cancellations_whenMany_leaveConnectionOpen() async throws {
    try await with { _, client async throws in
      for _ in 0..<300 {
        let stream = try await client.open()
        try await stream.send(headers: HTTP2TestStream.headers("Hold"))
        try await stream.send(HTTP2TestStream.message("x"), endStream: true)
        try await stream.cancel()
      }
      try await expectService(client)
    }
  }

  @Test func pings_whenMany_leaveConnectionOpen() async throws {
    try await with { _, client async throws in
      for _ in 0..<300 { try await client.ping() }
      try await expectService(client)
    }
  }

  // MARK: Idle connections

  @Test func connection_whenIdle_isClosed() async throws {
    var limits = ServerLimits.patient
    limits.idleTime = .milliseconds(50)
    limits.closingTime = .milliseconds(50)
    try await with(limits: limits) { _, client async throws in
      try await client.closed()
    }
  }
}
#endif
