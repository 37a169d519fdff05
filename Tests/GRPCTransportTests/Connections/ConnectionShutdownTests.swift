#if GRPC
import Logging
import NIOCore
import NIOEmbedded
import RPC
import Testing
import Transport
import Waiters

@testable import GRPCTransport

/// The graceful shutdown of one connection, without a socket and with a clock that stands still.
@Suite struct ConnectionShutdownTests {
  private let channel = EmbeddedChannel()
  private let flag = ShutdownFlag()

  /// The client's acknowledgement of the ping that follows GOAWAY.
  private static let acknowledgement: [UInt8] = [0, 0, 8, 6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
  private static let maximumID = 0x7fff_ffff

  init() throws {
    var configuration = GRPCListener.Configuration(endpoint: .tcp(host: "localhost", port: 0))
    configuration.limits.closingTime = .seconds(5)
    configuration.limits.writeStallTime = .seconds(2)
    let hold = ServerMethod.unary(MethodName(service: "test.Texts", method: "Hold")) { _, _, _ in
      .pending { throw CancellationError() }
    }
    let say = ServerMethod.unary(MethodName(service: "test.Texts", method: "Say")) { _, _, _ in
      .ready(OutgoingMessage(encoded: ByteBuffer()))
    }
    let services = CallServices(
      [hold, say], limits: configuration.limits, shutdownFlag: flag, logger: Logger(label: "test"))
    try GRPCListener.configure(
      channel, configuration, services, ConnectionLimiter(configuration.limits).account(of: channel),
      requiresALPN: false)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try receive(HTTP2Bytes.preface + HTTP2Bytes.settingsAcknowledgement)
  }

  private func receive(_ bytes: [UInt8]) throws {
    try channel.writeInbound(ByteBuffer(bytes: bytes))
    channel.embeddedEventLoop.run()
  }

  private func sentFrames() throws -> [SentFrame] { try SentFrame.all(of: channel) }

  private func shutDown() throws {
    _ = try sentFrames()
    flag.set()
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
  }

  private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  /// Opens a stream whose call does not end.
  private func hold(_ stream: Int) throws { try receive(try HTTP2Bytes.headers("Hold", on: stream)) }

  private func cancel(_ stream: UInt8) throws { try receive([0, 0, 4, 3, 0, 0, 0, 0, stream, 0, 0, 0, 8]) }

  @Test func connection_whenServerShutsDown_announcesIt_andPings() throws {
    try shutDown()
    let frames = try sentFrames()
    #expect(frames.first == .goAway(after: Self.maximumID))
    #expect(frames.map(\.type) == [SentFrame.goAway, SentFrame.ping])
  }

  @Test func call_beforePingIsAcknowledged_isServed() throws {
    try hold(1)
    try shutDown()
    _ = try sentFrames()
    for stream in [3, 5] { try receive(try HTTP2Bytes.call("Say", on: stream)) }
    let frames = try sentFrames()
    // Each gets headers, and trailers.
    for stream in [3, 5] {
      #expect(frames.filter { $0.stream == stream && $0.type == SentFrame.headers }.count == 2)
    }
    #expect(!frames.contains { $0.type == SentFrame.goAway })
    #expect(channel.isActive)
  }

  @Test func call_afterPingIsAcknowledged_isRefused_andOthersAreServed() throws {
    try hold(1)
    try shutDown()
    try receive(try HTTP2Bytes.call("Say", on: 3))
    _ = try sentFrames()
    try receive(Self.acknowledgement)
    #expect(try sentFrames() == [.goAway(after: 3)])
    for stream in [5, 7, 9] { try receive(try HTTP2Bytes.call("Say", on: stream)) }
    #expect(try sentFrames().filter { $0.stream != 0 } == [5, 7, 9].map(SentFrame.refusal))
    #expect(channel.isActive)
    try receive(HTTP2Bytes.emptyMessage(on: 1))
    #expect(try sentFrames().contains { $0.stream == 1 })
  }

  @Test func connection_whenItsLastStreamEnds_isClosed() throws {
    try hold(1)
    try shutDown()
    try receive(Self.acknowledgement)
    #expect(channel.isActive)
    _ = try sentFrames()
    try cancel(1)
    #expect(try sentFrames().filter { $0.stream == 0 && $0.type == SentFrame.goAway } == [.goAway(after: 1)])
    #expect(!channel.isActive)
  }

  @Test func connection_withoutStreams_isClosedWhenPingIsAcknowledged() throws {
    try shutDown()
    #expect(channel.isActive)
    _ = try sentFrames()
    try receive(Self.acknowledgement)
    #expect(try sentFrames() == [.goAway(after: 0)])
    #expect(!channel.isActive)
  }

  // Another timer than that of the shutdown passes in between.
  @Test func connection_whenPingIsNotAcknowledged_isClosedAfterClosingTime() throws {
    try shutDown()
    pass(4)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func connection_whenItsStreamsEndBeforePingIsAcknowledged_isClosedAfterClosingTime() throws {
    try hold(1)
    try shutDown()
    pass(6)
    #expect(channel.isActive)
    try cancel(1)
    pass(4)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }
}
#endif
