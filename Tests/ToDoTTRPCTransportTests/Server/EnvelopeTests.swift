import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

/// Requests with malformed envelopes and messages, sent to a server that listens.
@Suite(.timeLimited) struct EnvelopeTests: FramingSuite {
  let methods = TestMethods()

  // MARK: Methods

  @Test(arguments: [
    ("test.Texts", "Sing"), ("test.Texts", ""), ("", "Say"), ("", ""), ("test.texts", "Say"),
    ("test.Texts", "Say\u{0}"),
    ("test.Texts\u{0}", "Say"), (String(repeating: "s", count: 100_000), "Say"),
  ])
  func method_whenUnknown_isUnimplemented(_ service: String, _ method: String) async throws {
    try await withClient { client in
      let answer = try await client.response(to: .call(1, service, method, ProtobufBytes()))
      try expectError(answer, on: 1, .unimplemented, "METHOD_NOT_IMPLEMENTED")
      #expect(answer.data.count < 1000)
      try await expectService(client, 3)
    }
  }

  @Test(arguments: [0, 1, 2] as [UInt8])
  func method_whenNotUTF8_isUnimplemented(_ flags: UInt8) async throws {
    try await withClient { client in
      let envelope = ProtobufBytes().field(1, [0xFF, 0xC0]).field(2, [0x80])
      let answer = try await client.response(to: RawFrame(1, id: 1, flags: flags, envelope.bytes))
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
  func envelope_whenNotProtobuf_isMalformed(_ envelope: [UInt8]) async throws {
    try await withClient { client in
      try expectError(
        try await client.response(to: RawFrame(1, id: 1, envelope)), on: 1, .invalidArgument, "MALFORMED_REQUEST")
      try await expectService(client, 3)
    }
  }

  @Test func envelope_whenTruncated_getsResponse() async throws {
    try await withClient { client in
      let envelope = RawFrame.request(1, "Say", "cut", timeout: 1 << 40).data
      for length in 0..<envelope.count {
        let id = UInt32(2 * length + 1)
        let answer = try await client.response(to: RawFrame(1, id: id, Array(envelope.prefix(length))))
        #expect(answer.id == id && answer.type == 2)
        #expect(try answer.error != nil || answer.text == "" || answer.text == "cut")
      }
      try await expectService(client, 100_001)
    }
  }

  @Test(arguments: [
    ProtobufBytes([0xFF]), ProtobufBytes([0x0A, 0x7F]), ProtobufBytes().field(1, [0xC3, 0x28]),
  ])
  func message_whenNotProtobuf_isMalformed(_ message: ProtobufBytes) async throws {
    try await withClient { client in
      let answer = try await client.response(to: .call(1, TestMethods.service, "Say", message))
      try expectError(answer, on: 1, .invalidArgument, "MALFORMED_REQUEST")
      try await expectService(client, 3)
    }
  }

  @Test(arguments: [
    ProtobufBytes().field(1, [0xFF]).field(2, "v"), ProtobufBytes().field(1, "k").field(2, [0xFF]),
  ])
  func metadata_whenNotUTF8_isMalformed(_ pair: ProtobufBytes) async throws {
    try await withClient { client in
      let envelope = ProtobufBytes(RawFrame.request(1, "Say", "m").data).field(5, pair)
      let answer = try await client.response(to: RawFrame(1, id: 1, envelope.bytes))
      try expectError(answer, on: 1, .invalidArgument, "MALFORMED_REQUEST")
      #expect(methods.journal.count("started m") == 0)
      try await expectService(client, 3)
    }
  }

  @Test func envelope_whenManyTinyElements_isTooLarge() async throws {
    try await withClient { client in
      // Empty metadata pairs have two bytes each, and many times that when decoded.
      let pairs = [UInt8](repeating: 0, count: 1 << 20).indices.flatMap { $0 % 2 == 0 ? [0x2A, 0x00] as [UInt8] : [] }
      let answer = try await client.response(to: RawFrame(1, id: 1, RawFrame.request(1, "Say", "m").data + pairs))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      try await expectService(client, 3)
    }
  }

  @Test func text_whenContainsNUL_isPreserved() async throws {
    try await withClient { client async throws in
      #expect(try await client.response(to: .request(1, "Say", "a\u{0}b")).text == "a\u{0}b")
    }
  }
}
