#if GRPC
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import RPC
import Testing
import Transport
import Waiters

@testable import GRPCTransport

/// One connection of a server, without a socket and with a clock that stands still.
@Suite struct ConnectionHandlerTests {
  private let channel = EmbeddedChannel()
  private let limits: ServerLimits = {
    var limits = ServerLimits()
    limits.firstFrameTime = .seconds(10)
    limits.writeStallTime = .seconds(30)
    limits.idleTime = .seconds(300)
    limits.closingTime = .seconds(5)
    return limits
  }()

  init() throws {
    var configuration = GRPCListener.Configuration(endpoint: .tcp(host: "localhost", port: 0))
    configuration.limits = limits
    let method = ServerMethod.unary(MethodName(service: "test.Texts", method: "Hold")) { _, _, _ in
      .pending { throw CancellationError() }
    }
    let services = CallServices([method], limits: limits, shutdownFlag: ShutdownFlag(), logger: Logger(label: "test"))
    try GRPCListener.configure(
      channel, configuration, services, ConnectionLimiter(limits).account(of: channel), requiresALPN: false)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  private func receive(_ bytes: [UInt8]) throws {
    try channel.writeInbound(ByteBuffer(bytes: bytes))
    channel.embeddedEventLoop.run()
  }

  /// The types of the frames that were sent.
  private func sentFrames() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let part = try channel.readOutbound(as: ByteBuffer.self) { bytes += part.readableBytesView }
    var types: [UInt8] = []
    while bytes.count >= 9 {
      types.append(bytes[3])
      bytes.removeFirst(min(bytes.count, 9 + Int(bytes[0]) << 16 + Int(bytes[1]) << 8 + Int(bytes[2])))
    }
    return types
  }

  private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  // MARK: Memory

  @Test(arguments: ["nothing", "settings", "a stream"])
  func handlers_whenConnectionEnds_areFreed(_ received: String) throws {
    weak var connection: ConnectionHandler?
    weak var state: ConnectionState?
    do {
      let handler = try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
      (connection, state) = (handler, handler.state)
    }
    if received != "nothing" { try receive(HTTP2Bytes.preface) }
    if received == "a stream" { try receive(HTTP2Bytes.headers("Hold", on: 1)) }
    #expect(connection != nil && state != nil)
    try channel.close().wait()
    channel.embeddedEventLoop.run()
    #expect(connection == nil && state == nil)
  }

  // MARK: Times

  @Test func connection_whenNoFrameArrives_isClosed() {
    pass(9)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func connection_whenClientIsInactive_isPinged_andClosedWithoutAcknowledgement() throws {
    try receive(HTTP2Bytes.preface)
    _ = try sentFrames()
    pass(29)
    #expect(try sentFrames() == [])
    pass(1)
    #expect(try sentFrames() == [6])
    pass(19)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func connection_whenPingIsAcknowledged_staysUntilIdleTimeout() throws {
    try receive(HTTP2Bytes.preface)
    for _ in 0..<9 {
      pass(30)
      try receive([0, 0, 8, 6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    }
    _ = try sentFrames()
    pass(29)
    #expect(channel.isActive)
    pass(1)
    // GOAWAY and a ping.
    #expect(try sentFrames().prefix(2) == [7, 6])
    pass(5)
    #expect(!channel.isActive)
  }

  // An acknowledged ping shows that the client is there, which does not complete the frame.
  @Test(arguments: [[0], [0, 0x40, 0, 77, 0, 0, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0, 0, 0, 1, 0x80]] as [[UInt8]])
  func connection_whenFrameStaysIncomplete_isClosed(_ part: [UInt8]) throws {
    try receive(HTTP2Bytes.preface + part)
    pass(9)
    #expect(channel.isActive)
    pass(2)
    #expect(!channel.isActive)
  }

  @Test func connection_whenFrameIsCompleteInTime_staysOpen() throws {
    try receive(HTTP2Bytes.preface + [0, 0, 1, 77, 0, 0, 0, 0, 0])
    pass(9)
    try receive([1])
    pass(9)
    #expect(channel.isActive)
  }

  @Test func connection_whenItSendsTooManyFramesWithoutEffect_isClosed() throws {
    try receive(HTTP2Bytes.preface)
    for _ in 0..<100 { try receive([0, 0, 0, 77, 0, 0, 0, 0, 0]) }
    #expect(channel.isActive)
    _ = try? receive([0, 0, 0, 77, 0, 0, 0, 0, 0])
    #expect(!channel.isActive)
  }

  @Test func call_whenItHasMetadata_chargesItUntilItEnds() throws {
    let state = try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self).state
    try receive(HTTP2Bytes.preface + HTTP2Bytes.headers("Hold", on: 1, ["x-pad": String(repeating: "x", count: 100)]))
    #expect(state.heldBytes >= 105)
    try receive([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8])
    #expect(state.heldBytes == 0)
  }
}
#endif
