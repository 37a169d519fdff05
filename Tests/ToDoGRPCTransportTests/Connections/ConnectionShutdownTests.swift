#if GRPC
import NIOCore
import NIOEmbedded
import ToDoRPC
import Testing
import ToDoTransport

@testable import ToDoGRPCTransport

/// The graceful shutdown of one connection.
@Suite struct ConnectionShutdownTests {
  private let connection: EmbeddedConnection

  /// The client's acknowledgement of the ping that follows GOAWAY.
  private static let acknowledgement: [UInt8] = [0, 0, 8, 6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
  private static let maximumID = 0x7fff_ffff

  init() throws {
    var limits = ServerLimits()
    limits.closingTime = .seconds(5)
    limits.writeStallTime = .seconds(2)
    connection = try EmbeddedConnection(
      limits: limits, received: HTTP2Bytes.preface + HTTP2Bytes.settingsAcknowledgement)
  }

  private func shutDown() throws {
    _ = try connection.sentFrames()
    connection.shutdownFlag.set()
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
  }

  /// Opens a stream whose call does not end.
  private func hold(_ stream: Int) throws { try connection.receive(try HTTP2Bytes.headers("Hold", on: stream)) }

  private func cancel(_ stream: UInt8) throws { try connection.receive([0, 0, 4, 3, 0, 0, 0, 0, stream, 0, 0, 0, 8]) }

  @Test func connection_whenServerShutsDown_announcesIt_andPings() throws {
    try shutDown()
    let frames = try connection.sentFrames()
    #expect(frames.first == .goAway(after: Self.maximumID))
    #expect(frames.map(\.type) == [SentFrame.goAway, SentFrame.ping])
  }

  @Test func call_beforePingIsAcknowledged_isServed() throws {
    try hold(1)
    try shutDown()
    _ = try connection.sentFrames()
    for stream in [3, 5] { try connection.receive(try HTTP2Bytes.call("Say", on: stream)) }
    let frames = try connection.sentFrames()
    // Each gets headers, and trailers.
    for stream in [3, 5] {
      #expect(frames.filter { $0.stream == stream && $0.type == SentFrame.headers }.count == 2)
    }
    #expect(!frames.contains { $0.type == SentFrame.goAway })
    #expect(connection.isOpen)
  }

  @Test func call_afterPingIsAcknowledged_isRefused_andOthersAreServed() throws {
    try hold(1)
    try shutDown()
    try connection.receive(try HTTP2Bytes.call("Say", on: 3))
    _ = try connection.sentFrames()
    try connection.receive(Self.acknowledgement)
    #expect(try connection.sentFrames() == [.goAway(after: 3)])
    for stream in [5, 7, 9] { try connection.receive(try HTTP2Bytes.call("Say", on: stream)) }
    #expect(try connection.sentFrames().filter { $0.stream != 0 } == [5, 7, 9].map(SentFrame.refusal))
    #expect(connection.isOpen)
    try connection.receive(HTTP2Bytes.emptyMessage(on: 1))
    #expect(try connection.sentFrames().contains { $0.stream == 1 })
  }

  @Test func connection_whenItsLastStreamEnds_isClosed() throws {
    try hold(1)
    try shutDown()
    try connection.receive(Self.acknowledgement)
    #expect(connection.isOpen)
    _ = try connection.sentFrames()
    try cancel(1)
    #expect(try connection.sentFrames().filter { $0.stream == 0 && $0.type == SentFrame.goAway } == [.goAway(after: 1)])
    #expect(!connection.isOpen)
  }

  @Test func connection_withoutStreams_isClosedWhenPingIsAcknowledged() throws {
    try shutDown()
    #expect(connection.isOpen)
    _ = try connection.sentFrames()
    try connection.receive(Self.acknowledgement)
    #expect(try connection.sentFrames() == [.goAway(after: 0)])
    #expect(!connection.isOpen)
  }

  // Another timer than that of the shutdown passes in between.
  @Test func connection_whenPingIsNotAcknowledged_isClosedAfterClosingTime() throws {
    try shutDown()
    connection.pass(4)
    #expect(connection.isOpen)
    connection.pass(1)
    #expect(!connection.isOpen)
  }

  @Test func connection_whenItsStreamsEndBeforePingIsAcknowledged_isClosedAfterClosingTime() throws {
    try hold(1)
    try shutDown()
    connection.pass(6)
    #expect(connection.isOpen)
    try cancel(1)
    connection.pass(4)
    #expect(connection.isOpen)
    connection.pass(1)
    #expect(!connection.isOpen)
  }
}
#endif
