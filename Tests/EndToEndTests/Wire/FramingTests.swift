import RPC
import TTRPC
import TestSupport
import Testing

/// Bytes that are no frames, and frames that are out of place, against a server that listens.
@Suite(.timeLimit(.minutes(15))) struct FramingTests {
  private let methods = TestMethods()

  /// Two limits on data: the protocol's, and one that is quick to pass.
  static let limits = [FrameHeader.maximumLength, 1000]

  private func withClient(
    limit: Int = FrameHeader.maximumLength, _ body: @Sendable (RawClient) async throws -> Void
  ) async throws {
    var configuration = ServerLimits()
    configuration.maximumFrameLength = limit
    try await TestServer.with(methods.table, configuration: configuration) { server in
      try await RawClient.with(server.endpoint, body)
      // Whatever one client does, others are served.
      try await RawClient.with(server.endpoint) { try await expectService($0) }
    }
  }

  private func expectService(
    _ client: RawClient, _ id: UInt32 = 999, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await client.answer(to: .request(id, "Say", "still here"))
    #expect(answer.id == id && answer.type == 2, sourceLocation: sourceLocation)
    #expect(try answer.text == "still here", sourceLocation: sourceLocation)
  }

  private func expectError(
    _ answer: RawFrame, on id: UInt32, _ code: StatusCode, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(answer.id == id && answer.type == 2 && answer.flags == 0, sourceLocation: sourceLocation)
    let error = try #require(try answer.error, sourceLocation: sourceLocation)
    #expect(error.code == code && error.reason == reason, "\(error)", sourceLocation: sourceLocation)
    #expect(error.domain == "ttrpc", sourceLocation: sourceLocation)
  }

  // MARK: No frames

  @Test(
    arguments: [
      [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03],
      Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), Array("SSH-2.0-OpenSSH\r\n".utf8), [0x01], [0xFF],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func whatDoesNotBeginWithZero_closesTheConnection_withoutAnAnswer(_ bytes: [UInt8]) async throws {
    try await withClient { client in
      try await client.write(bytes)
      #expect(try await client.framesUntilClosed() == [])
    }
  }

  @Test func garbageAfterACall_closesTheConnection_andTheCallIsAnswered() async throws {
    try await withClient { client in
      try await client.write(RawFrame.request(1, "Say", "last").bytes + Array("GET /".utf8))
      let frames = try await client.framesUntilClosed()
      #expect(try frames.map { try $0.text } == ["last"])
    }
  }

  // MARK: Sizes

  @Test(arguments: limits, [0, 1, 2] as [UInt8])
  func aRequestBeyondTheLimit_isRefusedOnItsStream_andTheConnectionLives(_ limit: Int, _ flags: UInt8) async throws {
    try await withClient(limit: limit) { client in
      let answer = try await client.answer(to: RawFrame(1, id: 1, flags: flags, Array(repeating: 0, count: limit + 1)))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      #expect(try answer.error?.metadata == ["max_bytes": "\(limit)"])
      try await expectService(client, 3)
    }
  }

  @Test func aRequestOfExactlyTheLimit_isTaken() async throws {
    try await withClient(limit: 1000) { client in
      let overhead = RawFrame.request(1, "Say", String(repeating: "x", count: 500)).data.count - 500
      let text = String(repeating: "x", count: 1000 - overhead)
      #expect(RawFrame.request(1, "Say", text).data.count == 1000)
      #expect(try await client.answer(to: .request(1, "Say", text)).text == text)
      let answer = try await client.answer(to: .request(3, "Say", text + "x"))
      try expectError(answer, on: 3, .resourceExhausted, "MESSAGE_TOO_LARGE")
    }
  }

  @Test(arguments: [UInt32(FrameHeader.maximumLength) + 1, 0x00FF_FFFF])
  func anAbsurdSize_isAnsweredBeforeItsDataComes(_ length: UInt32) async throws {
    try await withClient { client in
      let answer = try await client.answer(to: RawFrame(1, id: 1, [], length: length))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      // The rest is skipped as it comes, in pieces.
      let chunk = [UInt8](repeating: 1, count: 1 << 20)
      for _ in 0..<(Int(length) / chunk.count) { try await client.write(chunk) }
      try await client.write([UInt8](repeating: 1, count: Int(length) % chunk.count))
      try await expectService(client, 3)
    }
  }

  @Test func dataBeyondTheLimit_endsItsStream_andCancelsItsHandler() async throws {
    try await withClient(limit: 1000) { client in
      try await client.write(.request(1, "Collect", "c", flags: 2))
      try await methods.journal.wait(for: "started c")
      let answer = try await client.answer(to: RawFrame(3, id: 1, Array(repeating: 0, count: 1001)))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      try await methods.journal.wait(for: "cancelled c")
      try await expectService(client, 3)
    }
  }

  @Test(arguments: 0..<28)
  func aFrameThatIsCutOff_isNotRun_andItsConnectionEnds(_ length: Int) async throws {
    let frame = RawFrame.request(1, "Say", "cut").bytes
    try #require(length < frame.count)
    try await TestServer.with(methods.table) { server in
      let client = try await RawClient.connect(to: server.endpoint)
      try await client.write(.request(1, "Hold", "held"))
      try await methods.journal.wait(for: "started held")
      try await client.write(Array(frame.prefix(length)))
      await client.close()
      try await methods.journal.wait(for: "cancelled held")
      #expect(methods.journal.count("started cut") == 0)
    }
  }

  @Test func aFrameInSingleBytes_isAFrame() async throws {
    try await withClient { client in
      for byte in RawFrame.request(1, "Say", "drip").bytes { try await client.write([byte]) }
      #expect(try await client.frame().text == "drip")
    }
  }

  // MARK: Numbers

  @Test(arguments: [0, 2, UInt32.max - 1])
  func aRequestWithAnEvenNumber_isRefused_andNotRun(_ id: UInt32) async throws {
    try await withClient { client in
      let answer = try await client.answer(to: .request(id, "Say", "even"))
      try expectError(answer, on: id, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started even") == 0)
      try await expectService(client, 1)
    }
  }

  @Test func aNumberThatIsInFlight_closesTheConnection_andCancelsItsCall() async throws {
    try await withClient { client in
      try await client.write(.request(1, "Hold", "first"))
      try await methods.journal.wait(for: "started first")
      try await client.write(.request(1, "Say", "second"))
      #expect(try await client.framesUntilClosed() == [])
      try await methods.journal.wait(for: "cancelled first")
      #expect(methods.journal.count("started second") == 0)
    }
  }

  @Test(arguments: [1, 1025, 2049])
  func aNumberThatWasUsed_orIsFarBelowTheHighest_isRefused_andNotRun(_ id: UInt32) async throws {
    try await withClient { client in
      for used in [1025, 2049, 2051] as [UInt32] { try await expectService(client, used) }
      let answer = try await client.answer(to: .request(id, "Say", "again"))
      try expectError(answer, on: id, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started again") == 0)
      try await expectService(client, 2053)
    }
  }

  @Test func numbersInAnyOrder_areServed() async throws {
    try await withClient { client in
      for id in [1025, 1, 1023, 3, 1027, 5] as [UInt32] { try await expectService(client, id) }
    }
  }

  @Test func theLastNumber_isServed_andTheFirstIsThenTooFarBelow() async throws {
    try await withClient { client in
      try await expectService(client, .max)
      try expectError(
        try await client.answer(to: .request(1, "Say", "after")), on: 1, .invalidArgument, "INVALID_STREAM")
    }
  }

  // MARK: Types and flags

  @Test(arguments: [0, 4, 0x7F, 0xFF] as [UInt8])
  func aFrameOfAnotherType_isSkipped(_ type: UInt8) async throws {
    try await withClient { client async throws in
      for id in [0, 1, 2, 7] as [UInt32] {
        try await client.write(RawFrame(type, id: id, flags: 0xFF, Array("what comes later".utf8)))
      }
      try await expectService(client, 1)
    }
  }

  @Test func aResponseFromAClient_closesTheConnection() async throws {
    try await withClient { client in
      try await client.write(RawFrame(2, id: 1))
      #expect(try await client.framesUntilClosed() == [])
    }
  }

  @Test(arguments: [3, 4, 5, 6, 7, 8, 0x80, 0xFF] as [UInt8], ["Say", "Count"])
  func aRequestWithFlagsThatItCannotHave_isRefused_andNotRun(_ flags: UInt8, _ method: String) async throws {
    try await withClient { client in
      let answer = try await client.answer(to: .request(1, method, "1", flags: flags))
      try expectError(answer, on: 1, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started 1") == 0)
      try await expectService(client, 3)
    }
  }

  @Test(arguments: [("Say", 2), ("Count", 0)] as [(String, UInt8)])
  func aRequestWithFlagsThatItsMethodDoesNotTake_isRefused_andNotRun(_ method: String, _ flags: UInt8) async throws {
    try await withClient { client in
      let answer = try await client.answer(to: .request(1, method, "1", flags: flags))
      try expectError(answer, on: 1, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started 1") == 0)
      try await expectService(client, 3)
    }
  }

  // MARK: Data

  @Test func dataOnAUnaryStream_closesTheConnection_andCancelsItsCall() async throws {
    try await withClient { client in
      try await client.write(.request(1, "Hold", "h"))
      try await methods.journal.wait(for: "started h")
      try await client.write(.data(1, "more"))
      #expect(try await client.framesUntilClosed() == [])
      try await methods.journal.wait(for: "cancelled h")
    }
  }

  @Test(arguments: [0, 1, 2, 9])
  func dataOnAStreamThatIsNotOpen_isRefused(_ id: UInt32) async throws {
    try await withClient { client in
      try expectError(
        try await client.answer(to: .data(id, "stray")), on: id, .invalidArgument, "INVALID_STREAM")
      try await expectService(client, 11)
    }
  }

  @Test func dataAfterTheLast_endsTheStream_andCancelsItsHandler() async throws {
    try await withClient { client in
      try await client.write(.request(1, "Collect", "c", flags: 2), .data(1, "last", flags: 1))
      try await methods.journal.wait(for: "started c")
      try expectError(
        try await client.answer(to: .data(1, "one more")), on: 1, .invalidArgument, "INVALID_STREAM")
      try await methods.journal.wait(for: "cancelled c")
      try await expectService(client, 3)
    }
  }

  // MARK: Methods

  @Test(arguments: [
    ("test.Texts", "Sing"), ("test.Texts", ""), ("", "Say"), ("", ""), ("test.texts", "Say"),
    ("test.Texts", "Say\u{0}"),
    ("test.Texts\u{0}", "Say"), (String(repeating: "s", count: 100_000), "Say"),
  ])
  func anUnknownMethod_isUnimplemented(_ service: String, _ method: String) async throws {
    try await withClient { client in
      let answer = try await client.answer(to: .call(1, service, method, ProtobufBytes()))
      try expectError(answer, on: 1, .unimplemented, "METHOD_NOT_IMPLEMENTED")
      #expect(answer.data.count < 1000)
      try await expectService(client, 3)
    }
  }

  @Test(arguments: [0, 1, 2] as [UInt8])
  func anUnknownMethodThatIsNoText_isUnimplemented(_ flags: UInt8) async throws {
    try await withClient { client in
      let envelope = ProtobufBytes().field(1, [0xFF, 0xC0]).field(2, [0x80])
      let answer = try await client.answer(to: RawFrame(1, id: 1, flags: flags, envelope.bytes))
      try expectError(answer, on: 1, .unimplemented, "METHOD_NOT_IMPLEMENTED")
      try await expectService(client, 3)
    }
  }

  // MARK: Messages

  @Test(
    arguments: [
      [0xFF], [0x0A, 0x7F], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x00], Array(repeating: 0x0A, count: 1000),
      Array(repeating: 0xFF, count: 1000),
    ] as [[UInt8]])
  func anEnvelopeThatIsNone_isMalformed(_ envelope: [UInt8]) async throws {
    try await withClient { client in
      try expectError(
        try await client.answer(to: RawFrame(1, id: 1, envelope)), on: 1, .invalidArgument, "MALFORMED_REQUEST")
      try await expectService(client, 3)
    }
  }

  @Test func anEnvelopeCutOffAnywhere_isAnswered() async throws {
    try await withClient { client in
      let envelope = RawFrame.request(1, "Say", "cut", timeout: 1 << 40).data
      for length in 0..<envelope.count {
        let id = UInt32(2 * length + 1)
        let answer = try await client.answer(to: RawFrame(1, id: id, Array(envelope.prefix(length))))
        #expect(answer.id == id && answer.type == 2)
        #expect(try answer.error != nil || answer.text == "" || answer.text == "cut")
      }
      try await expectService(client, 100_001)
    }
  }

  @Test(arguments: [
    ProtobufBytes([0xFF]), ProtobufBytes([0x0A, 0x7F]), ProtobufBytes().field(1, [0xC3, 0x28]),
  ])
  func aMessageThatIsNone_isMalformed(_ message: ProtobufBytes) async throws {
    try await withClient { client in
      let answer = try await client.answer(to: .call(1, TestMethods.service, "Say", message))
      try expectError(answer, on: 1, .invalidArgument, "MALFORMED_REQUEST")
      try await expectService(client, 3)
    }
  }

  @Test(arguments: [
    ProtobufBytes().field(1, [0xFF]).field(2, "v"), ProtobufBytes().field(1, "k").field(2, [0xFF]),
  ])
  func metadataThatIsNotUTF8_isMalformed(_ pair: ProtobufBytes) async throws {
    try await withClient { client in
      let envelope = ProtobufBytes(RawFrame.request(1, "Say", "m").data).field(5, pair)
      let answer = try await client.answer(to: RawFrame(1, id: 1, envelope.bytes))
      try expectError(answer, on: 1, .invalidArgument, "MALFORMED_REQUEST")
      #expect(methods.journal.count("started m") == 0)
      try await expectService(client, 3)
    }
  }

  @Test func aMessageOfManyTinyElements_isTooLarge() async throws {
    try await withClient { client in
      // Empty pairs of metadata: two bytes each, many times that once decoded.
      let pairs = [UInt8](repeating: 0, count: 1 << 20).indices.flatMap { $0 % 2 == 0 ? [0x2A, 0x00] as [UInt8] : [] }
      let answer = try await client.answer(to: RawFrame(1, id: 1, RawFrame.request(1, "Say", "m").data + pairs))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      try await expectService(client, 3)
    }
  }

  @Test func theCharacterNUL_travels() async throws {
    try await withClient { client async throws in
      #expect(try await client.answer(to: .request(1, "Say", "a\u{0}b")).text == "a\u{0}b")
    }
  }
}
