#if GRPC
import Logging
import NIOCore
import NIOEmbedded
import RPC
import Testing
import Transport
import Waiters

@testable import GRPCTransport

/// Responses that wait for a client that does not read, on a connection without a socket.
@Suite struct ResponseBufferTests {
  /// What ends the wait of a response.
  enum End: CaseIterable {
    case windowUpdate, reset, close
  }

  private static let size = 300_000
  private let methods: [ServerMethod] = {
    let large = ServerMethod.unary(MethodName(service: "test.Texts", method: "Large")) { _, _, _ in
      .ready(OutgoingMessage(encoded: ByteBuffer(repeating: 0, count: size)))
    }
    return [large]
  }()

  /// A connection whose client has sent its first frames.
  private func connect(_ change: (inout ServerLimits) -> Void = { _ in }) throws -> EmbeddedChannel {
    var configuration = GRPCListener.Configuration(endpoint: .tcp(host: "localhost", port: 0))
    change(&configuration.limits)
    let (channel, limits) = (EmbeddedChannel(), configuration.limits)
    let services = CallServices(methods, limits: limits, shutdownFlag: ShutdownFlag(), logger: Logger(label: "test"))
    try GRPCListener.configure(
      channel, configuration, services, ConnectionLimiter(limits).account(of: channel), requiresALPN: false)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try receive(HTTP2Bytes.preface, on: channel)
    return channel
  }

  private func receive(_ bytes: [UInt8], on channel: EmbeddedChannel) throws {
    try channel.writeInbound(ByteBuffer(bytes: bytes))
    channel.embeddedEventLoop.run()
  }

  private func state(of channel: EmbeddedChannel) throws -> ConnectionState {
    try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self).state
  }

  private func call(_ stream: UInt8) throws -> [UInt8] { try HTTP2Bytes.call("Large", on: Int(stream)) }

  /// Lets the server send a whole response.
  private func windowUpdate(_ stream: UInt8) -> [UInt8] {
    let increment = (0..<4).map { UInt8(truncatingIfNeeded: 400_000 >> (24 - 8 * $0)) }
    return [0, 0, 4, 8, 0, 0, 0, 0, 0] + increment + [0, 0, 4, 8, 0, 0, 0, 0, stream] + increment
  }

  private func end(_ stream: UInt8, by end: End, on channel: EmbeddedChannel) throws {
    switch end {
    case .windowUpdate: try receive(windowUpdate(stream), on: channel)
    case .reset: try receive([0, 0, 4, 3, 0, 0, 0, 0, stream, 0, 0, 0, 8], on: channel)
    case .close:
      try channel.close().wait()
      channel.embeddedEventLoop.run()
    }
  }

  @Test(arguments: End.allCases)
  func response_whenSentOrDiscarded_isReleasedOnce(_ end: End) throws {
    let channel = try connect()
    let state = try state(of: channel)
    try receive(call(1) + call(3), on: channel)
    #expect(state.unsentBytes == 2 * (Self.size + 5))
    try self.end(1, by: end, on: channel)
    #expect(state.unsentBytes == (end == .close ? 0 : Self.size + 5))
    guard end != .close else { return }
    try self.end(3, by: end, on: channel)
    #expect(state.unsentBytes == 0)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func responses_whenAboveBudget_closeConnection() throws {
    let channel = try connect { $0.maximumBufferedBytes = 1 << 20 }
    for stream in [1, 3] as [UInt8] { try receive(call(stream), on: channel) }
    #expect(channel.isActive)
    for stream in [5, 7] as [UInt8] { try receive(call(stream), on: channel) }
    #expect(!channel.isActive)
  }

  @Test(arguments: [End.windowUpdate, .reset])
  func responses_whenEachIsReleased_stayWithinBudget(_ end: End) throws {
    let channel = try connect { $0.maximumBufferedBytes = 1 << 20 }
    for number in 0..<20 as Range<UInt8> {
      try receive(call(2 * number + 1), on: channel)
      try self.end(2 * number + 1, by: end, on: channel)
      #expect(channel.isActive)
    }
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test(arguments: [End.windowUpdate, .reset])
  func unaryCall_whenOutputIsFull_waits(_ end: End) throws {
    let channel = try connect { $0.outputLimit = 2 * Self.size }
    let state = try state(of: channel)
    for stream in [1, 3, 5, 7] as [UInt8] { try receive(call(stream), on: channel) }
    #expect(state.unsentBytes == 2 * (Self.size + 5))
    // A call that is cancelled while it waits is not begun.
    try self.end(5, by: .reset, on: channel)
    try self.end(1, by: end, on: channel)
    #expect(state.unsentBytes == 2 * (Self.size + 5))
    for stream in [3, 7] as [UInt8] { try self.end(stream, by: end, on: channel) }
    #expect(state.unsentBytes == 0)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func unaryCall_whileWaiting_isNotLate() throws {
    let channel = try connect { $0.outputLimit = Self.size }
    let state = try state(of: channel)
    try receive(call(1) + call(3), on: channel)
    channel.embeddedEventLoop.advanceTime(by: .seconds(20))
    try end(1, by: .windowUpdate, on: channel)
    #expect(state.unsentBytes == Self.size + 5)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
#endif
