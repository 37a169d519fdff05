import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

/// Malformed bytes and unexpected frames, sent to a server that listens.
@Suite(.timeLimited) struct FramingTests: FramingSuite {
  let methods = TestMethods()

  /// Two limits on data: the protocol's, and one that is exceeded quickly.
  static let limits = [FrameHeader.maximumLength, 1000]

  // MARK: Malformed bytes

  @Test(
    arguments: [
      [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03],
      Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), Array("SSH-2.0-OpenSSH\r\n".utf8), [0x01], [0xFF],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func bytes_whenFirstIsNotZero_closeConnectionWithoutResponse(_ bytes: [UInt8]) async throws {
    try await withClient { client in
      try await client.write(bytes)
      #expect(try await client.framesUntilClosed() == [])
    }
  }

  @Test func bytes_whenMalformedAfterCall_closeConnectionAfterResponse() async throws {
    try await withClient { client in
      try await client.write(RawFrame.request(1, "Say", "last").bytes + Array("GET /".utf8))
      let frames = try await client.framesUntilClosed()
      #expect(try frames.map { try $0.text } == ["last"])
    }
  }

  // MARK: Sizes

  @Test(arguments: limits, [0, 1, 2] as [UInt8])
  func request_whenAboveLimit_isRejectedOnItsStream_andConnectionStays(_ limit: Int, _ flags: UInt8) async throws {
    try await withClient(limit: limit) { client in
      let answer = try await client.response(
        to: RawFrame(1, id: 1, flags: flags, Array(repeating: 0, count: limit + 1)))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      #expect(try answer.error?.metadata == ["max_bytes": "\(limit)"])
      try await expectService(client, 3)
    }
  }

  @Test func request_whenAtLimit_isAccepted() async throws {
    try await withClient(limit: 1000) { client in
      let overhead = RawFrame.request(1, "Say", String(repeating: "x", count: 500)).data.count - 500
      let text = String(repeating: "x", count: 1000 - overhead)
      #expect(RawFrame.request(1, "Say", text).data.count == 1000)
      #expect(try await client.response(to: .request(1, "Say", text)).text == text)
      let answer = try await client.response(to: .request(3, "Say", text + "x"))
      try expectError(answer, on: 3, .resourceExhausted, "MESSAGE_TOO_LARGE")
    }
  }

  @Test(arguments: [UInt32(FrameHeader.maximumLength) + 1, 0x00FF_FFFF])
  func request_whenLengthIsExcessive_isRejectedBeforeItsDataArrives(_ length: UInt32) async throws {
    try await withClient { client in
      let answer = try await client.response(to: RawFrame(1, id: 1, [], length: length))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      // The data is skipped as it arrives in pieces.
      let chunk = [UInt8](repeating: 1, count: 1 << 20)
      for _ in 0..<(Int(length) / chunk.count) { try await client.write(chunk) }
      try await client.write([UInt8](repeating: 1, count: Int(length) % chunk.count))
      try await expectService(client, 3)
    }
  }

  @Test func data_whenAboveLimit_endsStream_andCancelsHandler() async throws {
    try await withClient(limit: 1000) { client in
      try await client.write(.request(1, "Collect", "c", flags: 2))
      try await methods.journal.wait(for: "started c")
      let answer = try await client.response(to: RawFrame(3, id: 1, Array(repeating: 0, count: 1001)))
      try expectError(answer, on: 1, .resourceExhausted, "MESSAGE_TOO_LARGE")
      try await methods.journal.wait(for: "cancelled c")
      try await expectService(client, 3)
    }
  }

  @Test(arguments: 0..<28)
  func frame_whenTruncatedByDisconnection_isDiscarded(_ length: Int) async throws {
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

  @Test func frame_whenArrivingBytewise_isDecoded() async throws {
    try await withClient { client in
      for byte in RawFrame.request(1, "Say", "drip").bytes { try await client.write([byte]) }
      #expect(try await client.frame().text == "drip")
    }
  }

  // MARK: Data

  @Test func data_onUnaryStream_closesConnection_andCancelsCall() async throws {
    try await withClient { client in
      try await client.write(.request(1, "Hold", "h"))
      try await methods.journal.wait(for: "started h")
      try await client.write(.data(1, "more"))
      #expect(try await client.framesUntilClosed() == [])
      try await methods.journal.wait(for: "cancelled h")
    }
  }

  @Test(arguments: [0, 1, 2, 9])
  func data_onUnopenedStream_isRejected(_ id: UInt32) async throws {
    try await withClient { client in
      try expectError(
        try await client.response(to: .data(id, "stray")), on: id, .invalidArgument, "INVALID_STREAM")
      try await expectService(client, 11)
    }
  }

  @Test func data_afterLast_endsStream_andCancelsHandler() async throws {
    try await withClient { client in
      try await client.write(.request(1, "Collect", "c", flags: 2), .data(1, "last", flags: 1))
      try await methods.journal.wait(for: "started c")
      try expectError(
        try await client.response(to: .data(1, "one more")), on: 1, .invalidArgument, "INVALID_STREAM")
      try await methods.journal.wait(for: "cancelled c")
      try await expectService(client, 3)
    }
  }
}
