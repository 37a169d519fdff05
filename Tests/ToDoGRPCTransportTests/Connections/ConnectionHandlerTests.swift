#if GRPC
import NIOCore
import NIOEmbedded
import NIOHPACK
import Testing
import ToDoTransport

@testable import ToDoGRPCTransport
@testable import ToDoRPC

/// The times and the memory of one connection.
@Suite struct ConnectionHandlerTests {
  private let connection: EmbeddedConnection

  init() throws {
    var limits = ServerLimits()
    limits.firstFrameTime = .seconds(10)
    limits.writeStallTime = .seconds(30)
    limits.idleTime = .seconds(300)
    limits.closingTime = .seconds(5)
    connection = try EmbeddedConnection(limits: limits)
  }

  // MARK: Memory

  @Test(arguments: ["nothing", "settings", "a stream"])
  func handlers_whenConnectionEnds_areFreed(_ received: String) throws {
    weak var handler: ConnectionHandler?
    weak var state: ConnectionCalls?
    do {
      let strong = try connection.handler
      (handler, state) = (strong, strong.state)
    }
    if received != "nothing" { try connection.receive(HTTP2Bytes.preface) }
    if received == "a stream" { try connection.receive(HTTP2Bytes.headers("Hold", on: 1)) }
    #expect(handler != nil && state != nil)
    try connection.close()
    #expect(handler == nil && state == nil)
  }

  // MARK: Times

  @Test func connection_whenNoFrameArrives_isClosed() {
    connection.pass(9)
    #expect(connection.isOpen)
    connection.pass(1)
    #expect(!connection.isOpen)
  }

  @Test func connection_whenClientIsInactive_isPinged_andClosedWithoutAcknowledgement() throws {
    try connection.receive(HTTP2Bytes.preface)
    _ = try connection.sentFrames()
    connection.pass(29)
    #expect(try connection.sentFrames() == [])
    connection.pass(1)
    #expect(try connection.sentFrames().map(\.type) == [SentFrame.ping])
    connection.pass(19)
    #expect(connection.isOpen)
    connection.pass(1)
    #expect(!connection.isOpen)
  }

  @Test func connection_whenPingIsAcknowledged_staysUntilIdleTimeout() throws {
    try connection.receive(HTTP2Bytes.preface)
    for _ in 0..<9 {
      connection.pass(30)
      try connection.receive([0, 0, 8, 6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    }
    _ = try connection.sentFrames()
    connection.pass(29)
    #expect(connection.isOpen)
    connection.pass(1)
    #expect(try connection.sentFrames().map(\.type).prefix(2) == [SentFrame.goAway, SentFrame.ping])
    connection.pass(5)
    #expect(!connection.isOpen)
  }

  // An acknowledged ping shows that the client is there, which does not complete the frame.
  @Test(arguments: [[0], [0, 0x40, 0, 77, 0, 0, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0, 0, 0, 1, 0x80]] as [[UInt8]])
  func connection_whenFrameStaysIncomplete_isClosed(_ part: [UInt8]) throws {
    try connection.receive(HTTP2Bytes.preface + part)
    connection.pass(9)
    #expect(connection.isOpen)
    connection.pass(2)
    #expect(!connection.isOpen)
  }

  @Test func connection_whenFrameIsCompleteInTime_staysOpen() throws {
    try connection.receive(HTTP2Bytes.preface + [0, 0, 1, 77, 0, 0, 0, 0, 0])
    connection.pass(9)
    try connection.receive([1])
    connection.pass(9)
    #expect(connection.isOpen)
  }

  @Test func connection_whenItSendsTooManyFramesWithoutEffect_isClosed() throws {
    try connection.receive(HTTP2Bytes.preface)
    for _ in 0..<100 { try connection.receive([0, 0, 0, 77, 0, 0, 0, 0, 0]) }
    #expect(connection.isOpen)
    _ = try? connection.receive([0, 0, 0, 77, 0, 0, 0, 0, 0])
    #expect(!connection.isOpen)
  }

  @Test func call_whenServerWasSuspended_hasAnotherSecond() throws {
    let loop = connection.channel.embeddedEventLoop
    // Runs when the time of the message is over, before its timer, which is then late.
    loop.scheduleTask(in: .seconds(10)) { loop.advanceTime(by: .seconds(5)) }
    try connection.receive(HTTP2Bytes.preface + HTTP2Bytes.headers("Hold", on: 1))
    _ = try connection.sentFrames()
    connection.pass(10)
    #expect(try !connection.sentFrames().contains { $0.stream == 1 })
    // The embedded clock has gone back to 10 s.
    connection.pass(6)
    #expect(try connection.sentFrames().contains { $0.stream == 1 })
  }

  @Test func connection_whenEvicted_tellsWhichStreamsMayBeRepeated() throws {
    try connection.receive(HTTP2Bytes.preface + HTTP2Bytes.headers("Hold", on: 5))
    _ = try connection.sentFrames()
    connection.channel.pipeline.fireUserInboundEventTriggered(EvictionEvent(reason: .memory))
    #expect(try connection.sentFrames() == [.goAway(after: 5)])
  }

  @Test func call_whenItHasMetadata_chargesItUntilItEnds() throws {
    let state = try connection.state
    try connection.receive(
      HTTP2Bytes.preface + HTTP2Bytes.headers("Hold", on: 1, ["x-pad": String(repeating: "x", count: 100)]))
    #expect(state.heldBytes >= 105)
    try connection.receive([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8])
    #expect(state.heldBytes == 0)
  }
}
#endif
