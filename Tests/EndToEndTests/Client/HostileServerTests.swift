import Logging
import NIOCore
import NIOEmbedded
import TTRPC
import TTRPCTransport
import TestSupport
import Testing

/// A client whose server does not play along: every call ends by its deadline, and nothing grows.
@Suite(.timeLimit(.minutes(15))) struct HostileServerTests {
  /// A connection without a socket, and with a clock that stands still until it is moved.
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

  /// A call that has been written when this returns.
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
  func aFrameThatDoesNotEnd_endsTheCallByItsDeadline(_ bytes: [UInt8]) async throws {
    try await withConnection { connection, channel async throws in
      let result = try await call(connection, channel, timeout: .seconds(5))
      try await channel.writeInbound(ByteBuffer(bytes: bytes))
      await channel.testingEventLoop.advanceTime(by: .seconds(5))
      let error = await #expect(throws: RPCError.self) { try await result.value }
      #expect(error?.code == .deadlineExceeded)
      // It may still be a large answer to another call.
      #expect(connection.isOpen)
    }
  }

  @Test(arguments: [(1, 10), (655_360, 20)])
  func aFrameThatTakesTooLong_closesTheConnection_withTheNextDeadline(_ length: UInt32, _ seconds: Int) async throws {
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

  @Test func framesThatNobodyWaitsFor_areDropped() async throws {
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

  @Test func aServerThatReadsNothing_isSentNoMoreThanTheLimit() async throws {
    try await FakeServer.with(isReading: false) { server in
      var configuration = ClientConfiguration()
      configuration.maximumUnsentBytes = 1 << 20
      let connection = try await server.connect(configuration)
      let text = String(repeating: "x", count: 1_000_000)
      // What the sockets hold, and what may wait, and no more.
      var calls: [Task<String, any Error>] = []
      var refused: RPCError?
      while refused == nil, calls.count < 100 {
        let call = Task { try await connection.call("Say", text, timeout: .seconds(3600)) }
        calls.append(call)
        // A call of no time at all ends, in its turn, after the one before has been written or refused.
        do { _ = try await connection.call("Say", "", timeout: .nanoseconds(1)) } catch let error as RPCError {
          if error.code == .resourceExhausted { refused = error }
        }
      }
      #expect(refused?.isUnsent == true)
      #expect(calls.count < 100)
      await connection.close()
      for call in calls { await #expect(throws: RPCError.self) { try await call.value } }
    }
  }
}
