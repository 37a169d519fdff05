import Logging
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTTRPCTransport
import ToDoTestServers
import ToDoTestSupport

/// A client of a hostile server: every call ends by its deadline, and buffers stay bounded.
@Suite(.timeLimited) struct HostileServerTests {
  /// Provides a connection without a socket, whose clock the test advances.
  private func withConnection(
    _ configuration: ClientConfiguration = ClientConfiguration(),
    _ body: (ClientConnection, NIOAsyncTestingChannel) async throws -> Void
  ) async throws {
    let channel = NIOAsyncTestingChannel()
    try await channel.testingEventLoop.executeInContext {
      try ClientConnection.configure(channel, configuration, Logger(label: "test"))
    }
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
    do {
      try await body(ClientConnection.over(channel, configuration), channel)
    } catch {
      _ = try? await channel.finish(acceptAlreadyClosed: true)
      throw error
    }
    _ = try? await channel.finish(acceptAlreadyClosed: true)
  }

  /// Starts a call, and returns when its request has been written.
  private func call(
    _ connection: ClientConnection, _ channel: NIOAsyncTestingChannel, timeout: Duration
  ) async throws -> Task<String, any Error> {
    let task = Task { try await connection.call("Say", "x", timeout: timeout) }
    _ = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
    return task
  }

  @Test(
    arguments: [
      [], [0], Array(RawFrame(2, id: 1, [], length: 4 << 20).bytes), RawFrame(3, id: 99_999_999).bytes.dropLast(),
    ] as [[UInt8]])
  func call_whenResponseFrameIsIncomplete_endsAtItsDeadline(_ bytes: [UInt8]) async throws {
    try await withConnection { connection, channel async throws in
      let result = try await call(connection, channel, timeout: .seconds(5))
      try await channel.writeInbound(ByteBuffer(bytes: bytes))
      await channel.testingEventLoop.advanceTime(by: .seconds(5))
      let error = await #expect(throws: RPCError.self) { try await result.value }
      #expect(error?.code == .deadlineExceeded)
      // The frame may still be a large response to another call.
      #expect(connection.isOpen)
    }
  }

  @Test(arguments: [(1, 10), (655_360, 20)])
  func call_whenResponseFrameIsSlow_closesTheConnectionAtItsDeadline(_ length: UInt32, _ seconds: Int) async throws {
    try await withConnection { connection, channel async throws in
      let early = try await call(connection, channel, timeout: .seconds(seconds - 1))
      let late = try await call(connection, channel, timeout: .seconds(seconds + 1))
      try await channel.writeInbound(ByteBuffer(bytes: RawFrame(2, id: 1, [], length: length).bytes))
      await channel.testingEventLoop.advanceTime(by: .seconds(Int64(seconds - 1)))
      await #expect(throws: RPCError.deadlineExceeded) { try await early.value }
      #expect(connection.isOpen)
      await channel.testingEventLoop.advanceTime(by: .seconds(2))
      await #expect(throws: RPCError.deadlineExceeded) { try await late.value }
      #expect(!connection.isOpen)
    }
  }

  @Test func frames_whenTheirCallHasEnded_areDropped() async throws {
    try await withConnection { connection, channel async throws in
      let result = try await call(connection, channel, timeout: .seconds(5))
      await channel.testingEventLoop.advanceTime(by: .seconds(5))
      await #expect(throws: RPCError.deadlineExceeded) { try await result.value }
      for _ in 0..<1000 {
        try await channel.writeInbound(
          ByteBuffer(bytes: RawFrame(2, id: 1, [1, 2, 3]).bytes + RawFrame(3, id: 1, [1, 2, 3]).bytes))
      }
      #expect(connection.isOpen)
    }
  }

  @Test func call_whenServerReadsNothing_failsBeyondTheLimit() async throws {
    try await FakeServer.with(isReading: false) { server in
      var configuration = ClientConfiguration()
      configuration.maximumUnsentBytes = 1 << 20
      let connection = try await server.connect(configuration)
      let text = String(repeating: "x", count: 1_000_000)
      // The socket buffers and the limit bound the number of calls.
      var calls: [Task<String, any Error>] = []
      var rejection: RPCError?
      while rejection == nil, calls.count < 100 {
        let call = Task { try await connection.call("Say", text, timeout: .seconds(3600)) }
        calls.append(call)
        // A call without time ends after the preceding call has been written or rejected.
        do { _ = try await connection.call("Say", "", timeout: .nanoseconds(1)) } catch let error as RPCError {
          if error.code == .resourceExhausted { rejection = error }
        }
      }
      #expect(rejection?.isUnsent == true)
      #expect(calls.count < 100)
      await connection.close()
      for call in calls { await #expect(throws: RPCError.self) { try await call.value } }
    }
  }
}
