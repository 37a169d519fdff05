import Logging
import NIOCore
import NIOEmbedded
import ToDoRPC
import ToDoTTRPCTransport
import ToDoTestServers

/// The server's side of one connection, without a socket and with a manual clock.
struct ServerChannel: Sendable {
  private let channel = NIOAsyncTestingChannel()

  /// Serves one connection during `body`.
  static func with(
    _ methods: MethodTable, _ configuration: ServerLimits = ServerLimits(),
    limiter: ConnectionLimiter? = nil, _ body: (ServerChannel) async throws -> Void
  ) async throws {
    let server = ServerChannel()
    let channel = server.channel
    try await channel.testingEventLoop.executeInContext {
      try channel.pipeline.syncOperations.addHandler(Dam())
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      try ServerListener.configure(
        channel, methods: methods, configuration: configuration, limiter: limiter, logger: logger)
    }
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
    do {
      try await body(server)
    } catch {
      _ = try? await channel.finish(acceptAlreadyClosed: true)
      throw error
    }
    _ = try? await channel.finish(acceptAlreadyClosed: true)
  }

  var isOpen: Bool { channel.isActive }

  func write(_ bytes: [UInt8]) async throws {
    try await channel.writeInbound(ByteBuffer(bytes: bytes))
    // Asynchronous responses and closing channels need a further iteration of the event loop.
    await channel.testingEventLoop.run()
  }

  func write(_ frames: RawFrame...) async throws { try await write(frames.flatMap(\.bytes)) }

  /// Returns the next response on a stream, when it is there.
  func frame(of id: UInt32) async throws -> RawFrame {
    while true {
      if let frame = try await frames().first(where: { $0.id == id }) { return frame }
      await Task.yield()
    }
  }

  /// Returns the responses since the last call.
  func frames() async throws -> [RawFrame] {
    var bytes = ByteBuffer()
    while var next = try await channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&next) }
    var frames: [RawFrame] = []
    while let (length, id, type, flags) = bytes.readMultipleIntegers(as: (UInt32, UInt32, UInt8, UInt8).self),
      let data = bytes.readBytes(length: Int(length))
    {
      frames.append(RawFrame(type, id: id, flags: flags, data))
    }
    return frames
  }

  func advance(by time: Duration) async {
    await channel.testingEventLoop.advanceTime(by: TimeAmount(time))
    await channel.testingEventLoop.run()
  }

  /// Whether the peer reads.
  func setPeerReads(_ reads: Bool) async throws {
    let channel = channel
    try await channel.testingEventLoop.executeInContext {
      try channel.pipeline.syncOperations.handler(type: Dam.self).setIsOpen(reads)
    }
  }
}

/// Buffers writes while the peer does not read.
private final class Dam: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var isOpen = true
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func setIsOpen(_ isOpen: Bool) {
    self.isOpen = isOpen
    if isOpen { context?.flush() }
  }

  func flush(context: ChannelHandlerContext) {
    if isOpen { context.flush() }
  }
}
