import NIOCore
import NIOEmbedded
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoTTRPCTransport

/// The calls of a server's connection, without a channel.
@Suite(.timeLimited) struct ServerCallsTests {
  private let methods = TestMethods()

  /// Performs `body` on an event loop with a manual clock.
  private func withCalls(
    strikes: Int = ServerStreams.defaultStrikeLimit, inputPause: Int? = nil,
    _ body: @escaping @Sendable (ServerCallsFixture) throws -> Void
  ) async throws {
    let loop = NIOAsyncTestingEventLoop()
    let table = MethodTable(methods.methods + [ServerCallsFixture.readyMethod, ServerCallsFixture.endlessMethod])
    var limits = ServerLimits()
    limits.maximumStrikes = strikes
    if let inputPause { limits.inputPause = inputPause }
    let configuration = limits
    try await loop.executeInContext {
      let fixture = ServerCallsFixture(table, configuration, loop)
      defer { fixture.calls.end() }
      try body(fixture)
    }
    methods.gate.open()
    await loop.run()
  }

  // MARK: Responses

  @Test func receive_whenResponseIsReady_writesIt() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "Ready"))
      #expect(try fixture.responses().map { try $0.text } == ["ready"])
      #expect(!fixture.calls.isBusy)
      #expect(fixture.receiver.events.isEmpty)
      #expect(fixture.calls.takeNewDeadline() == nil)
    }
  }

  @Test func receive_whenResponseIsPending_writesItWhenFinished() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "Hold", "text"))
      #expect(try fixture.responses().isEmpty)
      #expect(fixture.calls.isBusy)
      #expect(fixture.calls.requestBytes == 6)
      fixture.calls.finish(StreamID(1), .answered(TestMethods.message("held")))
      #expect(try fixture.responses().map { try $0.text } == ["held"])
      #expect(!fixture.calls.isBusy)
      #expect(fixture.calls.requestBytes == 0)
      fixture.calls.finish(StreamID(1), .answered(TestMethods.message("again")))
      #expect(try fixture.responses().isEmpty)
    }
  }

  @Test func receive_whenMethodIsUnknown_writesError() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "Sing"))
      #expect(try fixture.responses().map { try $0.error?.code } == [.unimplemented])
    }
  }

  // MARK: Protocol violations

  @Test func receive_whenStateIsUndefined_throws() async throws {
    try await withCalls { fixture in
      #expect(throws: ProtocolViolation.responseFromClient) { try fixture.receive(RawFrame(2, id: 1)) }
    }
  }

  @Test func hasReachedStrikeLimit_afterRejectedFrames_isTrue() async throws {
    try await withCalls(strikes: 3) { fixture in
      try fixture.receive(.request(2, "Ready"))
      try fixture.receive(RawFrame(1, id: 1, [0xFF]))
      #expect(!fixture.calls.hasReachedStrikeLimit)
      fixture.calls.strike()
      #expect(fixture.calls.hasReachedStrikeLimit)
      #expect(try fixture.responses().map(\.id) == [2, 1])
    }
  }

  // MARK: Limits

  @Test func hasRoom_whenRequestsInFlightReachLimit_isFalseUntilOneFinishes() async throws {
    try await withCalls(inputPause: 10) { fixture in
      try fixture.receive(.request(1, "Hold", "text"))
      #expect(fixture.calls.hasRoom)
      try fixture.receive(.request(3, "Hold", "text"))
      #expect(!fixture.calls.hasRoom)
      fixture.calls.finish(StreamID(1), .failed(.cancelled))
      #expect(fixture.calls.hasRoom)
    }
  }

  @Test func hasRoom_whenHandlerHasUnreadMessages_isFalseUntilReleased() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "Collect", flags: 2))
      #expect(fixture.calls.hasRoom)
      let text = String(repeating: "x", count: 300 << 10)
      try fixture.receive(.data(1, text))
      #expect(!fixture.calls.hasRoom)
      #expect(fixture.calls.queuedBytes > 300 << 10)
      #expect(fixture.calls.releaseBackpressure(on: StreamID(1)))
      #expect(!fixture.calls.releaseBackpressure(on: StreamID(1)))
      #expect(fixture.calls.hasRoom)
      fixture.calls.finish(StreamID(1), .streamed)
      #expect(fixture.calls.queuedBytes == 0)
    }
  }

  // MARK: Deadlines

  @Test func takeNewDeadline_returnsFirstDeadlineOnce() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "Hold", timeout: 5_000_000_000))
      try fixture.receive(.request(3, "Hold", timeout: 3_000_000_000))
      let start = fixture.loop.now
      #expect(fixture.calls.takeNewDeadline() == start + .seconds(3))
      #expect(fixture.calls.takeNewDeadline() == nil)
      #expect(fixture.calls.expire(at: start + .seconds(2)) == start + .seconds(3))
      #expect(try fixture.responses().isEmpty)
    }
  }

  @Test func expire_afterDeadline_writesError_andStaysBusyUntilHandlerFinishes() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "HoldStubbornly", timeout: 3_000_000_000))
      #expect(fixture.calls.expire(at: fixture.loop.now + .seconds(3)) == nil)
      #expect(try fixture.responses().map { try $0.error?.code } == [.deadlineExceeded])
      #expect(fixture.calls.isBusy)
      fixture.calls.finish(StreamID(1), .answered(TestMethods.message("late")))
      #expect(try fixture.responses().isEmpty)
      #expect(!fixture.calls.isBusy)
    }
  }

  @Test func expire_ofBackpressuredStream_resumesReading() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "CollectStubbornly", flags: 2, timeout: 3_000_000_000))
      try fixture.receive(.data(1, String(repeating: "x", count: 300 << 10)))
      #expect(!fixture.calls.hasRoom)
      _ = fixture.calls.expire(at: fixture.loop.now + .seconds(3))
      #expect(fixture.calls.hasRoom)
      #expect(fixture.receiver.events == ["resume reading"])
    }
  }

  // MARK: Shutdown

  @Test func drain_endsEndlessCalls_andRejectsFurtherOnes() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "Hold"))
      try fixture.receive(.request(3, "Endless", flags: 1))
      fixture.calls.drain()
      try fixture.receive(.request(5, "Ready"))
      #expect(try fixture.responses().map { try $0.error?.reason } == ["SERVER_SHUTTING_DOWN", "SERVER_SHUTTING_DOWN"])
      #expect(!fixture.calls.isDrained)
      fixture.calls.finish(StreamID(3), .failed(.cancelled))
      fixture.calls.finish(StreamID(1), .answered(TestMethods.message("held")))
      #expect(try fixture.responses().map(\.id) == [1])
      #expect(fixture.calls.isDrained)
    }
  }

  @Test func end_whileCallsAreInFlight_writesNothing() async throws {
    try await withCalls { fixture in
      try fixture.receive(.request(1, "Hold", "text"))
      fixture.calls.end()
      #expect(fixture.calls.requestBytes == 0)
      #expect(fixture.calls.takeNewDeadline() == nil)
      fixture.calls.finish(StreamID(1), .answered(TestMethods.message("late")))
      #expect(try fixture.responses().isEmpty)
    }
    try await methods.journal.wait(for: "cancelled text")
  }
}
