import Logging
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTTRPCTransport
import ToDoTestServers
import ToDoTestSupport

/// The writes of a server, on a channel without a socket.
@Suite(.timeLimited) struct WritingTests {
  private let methods = TestMethods()

  private func withChannel(
    streams: Int = ServerStreams.defaultLimit, _ body: (NIOAsyncTestingChannel) async throws -> Void
  ) async throws {
    let channel = NIOAsyncTestingChannel()
    let methods = methods
    try await channel.testingEventLoop.executeInContext {
      var configuration = ServerLimits()
      configuration.maximumStreams = streams
      try ServerListener.configure(
        channel, methods: methods.table, configuration: configuration, logger: Logger(label: "test"))
    }
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
    do {
      try await body(channel)
    } catch {
      _ = try? await channel.finish(acceptAlreadyClosed: true)
      throw error
    }
    _ = try? await channel.finish(acceptAlreadyClosed: true)
  }

  private func frames(_ buffer: ByteBuffer?) -> [UInt32] {
    guard var buffer else { return [] }
    var ids: [UInt32] = []
    while let header = buffer.readFrameHeader() {
      ids.append(header.streamID.rawValue)
      buffer.moveReaderIndex(forwardBy: header.length)
    }
    return ids
  }

  @Test func responses_whenReadyInOneRead_shareOneWrite() async throws {
    try await withChannel { channel in
      let ids = (0..<100).map { UInt32(2 * $0 + 1) }
      try await channel.writeInbound(ByteBuffer(bytes: ids.flatMap { RawFrame.request($0, "Say", "\($0)").bytes }))
      #expect(frames(try await channel.readOutbound(as: ByteBuffer.self)) == ids)
      #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }
  }

  @Test func errors_whenReadyInOneRead_shareOneWrite() async throws {
    try await withChannel { channel in
      let bytes = [
        RawFrame.request(1, "Sing"), RawFrame(1, id: 3, [0xFF]), .request(4, "Say"), .request(5, "Say", timeout: -1),
        .request(7, "Break"), .cancel(9, stream: 1), .data(11, ""),
      ].flatMap(\.bytes)
      try await channel.writeInbound(ByteBuffer(bytes: bytes))
      #expect(frames(try await channel.readOutbound(as: ByteBuffer.self)) == [1, 3, 4, 5, 7, 9, 11])
      #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }
  }

  @Test func responses_whenReadyLater_areWrittenThen() async throws {
    try await withChannel { channel in
      try await channel.writeInbound(ByteBuffer(bytes: RawFrame.request(1, "Hold", "h").bytes))
      #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
      methods.gate.open()
      #expect(frames(try await channel.waitForOutboundWrite(as: ByteBuffer.self)) == [1])
    }
  }

  // MARK: Time

  @Test func deadline_whenItPasses_failsCallAndNotBefore() async throws {
    try await withChannel { channel in
      try await channel.writeInbound(
        ByteBuffer(bytes: RawFrame.request(1, "Hold", "h", timeout: 5_000_000_000).bytes))
      await channel.testingEventLoop.advanceTime(by: .nanoseconds(4_999_999_999))
      #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
      #expect(methods.journal.events == ["started h"])
      await channel.testingEventLoop.advanceTime(by: .nanoseconds(1))
      await channel.testingEventLoop.run()
      #expect(frames(try await channel.readOutbound(as: ByteBuffer.self)) == [1])
      try await methods.journal.wait(for: "cancelled h")
    }
  }

  @Test func deadline_afterResponse_hasNoEffect() async throws {
    try await withChannel { channel in
      try await channel.writeInbound(
        ByteBuffer(bytes: RawFrame.request(1, "Hold", "h", timeout: 5_000_000_000).bytes))
      methods.gate.open()
      #expect(frames(try await channel.waitForOutboundWrite(as: ByteBuffer.self)) == [1])
      await channel.testingEventLoop.advanceTime(by: .seconds(10))
      await channel.testingEventLoop.run()
      #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }
  }

  @Test func deadline_whenStreamWaitsForReader_endsStream() async throws {
    try await withChannel { channel in
      try await channel.testingEventLoop.executeInContext {
        try channel.pipeline.syncOperations.addHandler(Clog(channel), position: .first)
      }
      try await channel.writeInbound(
        ByteBuffer(bytes: RawFrame.request(1, "Flood", "100000", flags: 1, timeout: 5_000_000_000).bytes))
      #expect(methods.journal.count("cancelled 100000") == 0)
      await channel.testingEventLoop.advanceTime(by: .seconds(5))
      try await methods.journal.wait(for: "cancelled 100000")
      #expect(!channel.isWritable)
    }
  }
}

/// Makes a channel unwritable after the first write.
private final class Clog: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  private let channel: NIOAsyncTestingChannel

  init(_ channel: NIOAsyncTestingChannel) {
    self.channel = channel
  }

  func flush(context: ChannelHandlerContext) {
    channel.isWritable = false
    context.flush()
  }
}
