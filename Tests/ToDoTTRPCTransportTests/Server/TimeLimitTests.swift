import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// The timeouts of a connection, on a clock that a test advances.
@Suite(.timeLimited) struct TimeLimitTests {
  private let methods = TestMethods()
  /// A frame that arrives in two pieces.
  private let frame = RawFrame.request(3, "Say", "slow").bytes

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

  // MARK: Frames

  @Test(arguments: [0, 1, 9])
  func connection_whenNoFrameArrives_isClosedAfterTenSeconds(_ count: Int) async throws {
    try await withServer { server async throws in
      try await server.write(Array(frame.prefix(count)))
      await server.advance(by: .milliseconds(9900))
      #expect(server.isOpen)
      await server.advance(by: .milliseconds(100))
      #expect(!server.isOpen)
      #expect(try await server.frames() == [])
    }
  }

  @Test func connection_whenFirstFrameArrivesSlowly_isClosedAfterTenSeconds() async throws {
    try await withServer { server async throws in
      for byte in frame.prefix(9) {
        try await server.write([byte])
        await server.advance(by: .milliseconds(1100))
      }
      await server.advance(by: .milliseconds(200))
      #expect(!server.isOpen)
    }
  }

  @Test(arguments: [0, 65_536, 1_048_576])
  func connection_whenLaterFrameIsIncomplete_isClosedAfterTenSecondsAndDataTime(_ length: Int) async throws {
    try await withServer { server async throws in
      try await expectService(server, 1)
      await server.advance(by: .seconds(60))
      try await server.write(Array(RawFrame(1, id: 3, [], length: UInt32(length + 2)).bytes + [0x0A]))
      let time = Duration.seconds(10) + .seconds(length >> 16)
      await server.advance(by: time - .milliseconds(1))
      #expect(server.isOpen)
      await server.advance(by: .milliseconds(2))
      #expect(!server.isOpen)
    }
  }

  @Test func frame_whenAboveLimit_hasTimeForItsData() async throws {
    try await withServer({ $0.maximumFrameLength = 1000 }) { server async throws in
      try await expectService(server, 1)
      try await server.write(RawFrame(1, id: 3, [], length: 655_360).bytes)
      #expect(try await server.frames().count == 1)
      await server.advance(by: .milliseconds(19900))
      #expect(server.isOpen)
      await server.advance(by: .milliseconds(100))
      #expect(!server.isOpen)
    }
  }

  @Test func connection_whenEachFrameIsInTime_staysOpen() async throws {
    try await withServer { server async throws in
      for id in 0..<20 {
        let frame = RawFrame.request(UInt32(2 * id + 1), "Say", "slow").bytes
        try await server.write(Array(frame.prefix(5)))
        await server.advance(by: .seconds(9))
        try await server.write(Array(frame.dropFirst(5)))
        #expect(try await server.frames().count == 1)
      }
      #expect(server.isOpen)
    }
  }

  @Test func frame_whileServerDoesNotRead_isNotTimed() async throws {
    try await withServer({ $0.maximumStreams = 1 }) { server async throws in
      try await server.write(.request(1, "HoldStubbornly", "h", timeout: 3_600_000_000_000))
      try await server.write(Array(frame.prefix(5)))
      await server.advance(by: .seconds(299))
      #expect(server.isOpen)
    }
  }

  // MARK: Idle connections

  @Test func connection_whenIdle_isClosedAfterAnHour() async throws {
    try await withServer { server async throws in
      try await expectService(server, 1)
      await server.advance(by: .seconds(1800))
      try await expectService(server, 3)
      await server.advance(by: .seconds(3599))
      #expect(server.isOpen)
      await server.advance(by: .seconds(1))
      #expect(!server.isOpen)
    }
  }

  @Test func connection_whenIdleWithStream_staysOpen() async throws {
    try await withServer { server async throws in
      try await server.write(.request(1, "CountAndHold", "0", flags: 1))
      await server.advance(by: .seconds(24 * 3600))
      #expect(server.isOpen)
      try await expectService(server, 3)
    }
  }

  // MARK: Peers that do not read

  @Test func connection_whenPeerReadsNothing_isClosedAfterThirtySecondsAndAQuarter() async throws {
    try await withServer { server async throws in
      try await expectService(server, 1)
      try await server.setPeerReads(false)
      try await server.write(.request(3, "Say", "unread"), .request(5, "Hold", "held"))
      await server.advance(by: .milliseconds(29900))
      #expect(server.isOpen)
      await server.advance(by: .milliseconds(7600))
      #expect(!server.isOpen)
      try await methods.journal.wait(for: "cancelled held")
    }
  }

  @Test func connection_whenItsOutputIsUnread_isNotIdle() async throws {
    try await withServer({ ($0.idleTime, $0.writeStallTime) = (.seconds(60), .seconds(120)) }) { server async throws in
      try await expectService(server, 1)
      try await server.setPeerReads(false)
      try await server.write(.request(3, "Say", "unread"))
      await server.advance(by: .seconds(119))
      #expect(server.isOpen)
      await server.advance(by: .seconds(31))
      #expect(!server.isOpen)
    }
  }

  @Test func connection_whenPeerReadsSlowly_staysOpen() async throws {
    try await withServer { server async throws in
      for id in 0..<10 {
        try await server.setPeerReads(false)
        try await server.write(.request(UInt32(2 * id + 1), "Say", "late"))
        await server.advance(by: .seconds(25))
        try await server.setPeerReads(true)
        await server.advance(by: .seconds(1))
        #expect(try await server.frames().count == 1)
      }
      #expect(server.isOpen)
    }
  }

  @Test func connection_whenLastResponsesAreUnread_isClosedAfterTenSeconds() async throws {
    try await withServer { server async throws in
      try await server.setPeerReads(false)
      try await server.write(RawFrame.request(1, "Say", "last").bytes + [0xFF])
      await server.advance(by: .milliseconds(9900))
      #expect(server.isOpen)
      await server.advance(by: .milliseconds(100))
      #expect(!server.isOpen)
    }
  }

  // MARK: Deadlines

  @Test(arguments: [(0, 30), (3_600_000_000_000, 300), (.max, 300), (45_000_000_000, 45)] as [(Int64, Int)])
  func unaryCall_endsAtItsDeadlineOrTheDefault(_ timeout: Int64, _ seconds: Int) async throws {
    try await withServer { server async throws in
      try await server.write(.request(1, "Hold", "h", timeout: timeout))
      await server.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(try await server.frames() == [])
      await server.advance(by: .milliseconds(1))
      #expect(try await server.frames().map { try $0.error?.reason } == ["DEADLINE_EXCEEDED"])
      try await methods.journal.wait(for: "cancelled h")
    }
  }

  @Test(arguments: [(0, nil), (.max, nil), (900_000_000_000, 900)] as [(Int64, Int?)])
  func stream_endsOnlyAtItsOwnDeadline(_ timeout: Int64, _ seconds: Int?) async throws {
    try await withServer { server async throws in
      try await server.write(.request(1, "CountAndHold", "0", flags: 1, timeout: timeout))
      await server.advance(by: .seconds(seconds ?? 1_000_000) - .milliseconds(1))
      #expect(try await server.frames() == [])
      await server.advance(by: .milliseconds(1))
      #expect(try await server.frames().count == (seconds == nil ? 0 : 1))
    }
  }

  @Test func deadlines_whenMany_areAllKept() async throws {
    try await withServer { server async throws in
      let ids = (0..<100).map { UInt32(2 * $0 + 1) }
      for id in ids.shuffled() {
        try await server.write(.request(id, "Hold", "h", timeout: Int64(id) * 100_000_000))
      }
      for id in ids {
        await server.advance(by: .milliseconds(id == 1 ? 100 : 200))
        #expect(try await server.frames().map(\.id) == [id])
      }
    }
  }
}
