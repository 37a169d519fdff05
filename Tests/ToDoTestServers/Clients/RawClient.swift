package import NIOCore
import NIOPosix
package import ToDoTransport

/// A client that writes arbitrary bytes and receives every frame.
package final class RawClient: Sendable {
  private let channel: any Channel
  private let inbox: NIOLoopBound<Inbox>

  private init(_ channel: any Channel, _ inbox: NIOLoopBound<Inbox>) {
    self.channel = channel
    self.inbox = inbox
  }

  /// Runs `body` with a connection to a server.
  ///
  /// - Parameter isReading: whether the client reads. If not, it applies back-pressure to the server.
  package static func with<Value>(
    _ endpoint: Endpoint, isReading: Bool = true, _ body: (RawClient) async throws -> Value
  ) async throws -> Value {
    let client = try await connect(to: endpoint, isReading: isReading)
    do {
      let value = try await body(client)
      await client.close()
      return value
    } catch {
      await client.close()
      throw error
    }
  }

  /// One side of a connection without protocol handlers.
  package static func bare(_ channel: any Channel) throws -> RawClient {
    let inbox = Inbox()
    try channel.pipeline.syncOperations.addHandler(inbox)
    return RawClient(channel, NIOLoopBound(inbox, eventLoop: channel.eventLoop))
  }

  package static func connect(to endpoint: Endpoint, isReading: Bool = true) async throws -> RawClient {
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: isReading)
    // The server may close the connection before its handler is found.
    @Sendable func prepare(_ channel: any Channel) -> EventLoopFuture<RawClient> {
      channel.eventLoop.makeCompletedFuture { try bare(channel) }
    }
    return switch endpoint {
    case .tcp(let host, let port), .tls(let host, let port):
      try await bootstrap.connect(host: host, port: port, channelInitializer: prepare)
    case .unix(let path): try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: prepare)
    }
  }

  // MARK: Writing

  package func write(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  /// Writes the frames in one write.
  package func write(_ frames: RawFrame...) async throws { try await write(frames.flatMap(\.bytes)) }

  /// Writes bytes without waiting, because the socket's buffer may be full.
  package func writeWithoutWaiting(_ bytes: [UInt8]) {
    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  }

  package func close() async { try? await channel.close() }

  // MARK: Reading

  /// Returns the next frame.
  ///
  /// - Throws: an error if the connection closes or the deadline passes first.
  package func frame() async throws -> RawFrame {
    guard let frame = try await nextFrame() else { throw ChannelError.eof }
    return frame
  }

  /// Writes a request, and returns the next frame.
  package func response(to request: RawFrame) async throws -> RawFrame {
    try await write(request)
    return try await frame()
  }

  /// Returns the remaining frames until the server closes the connection.
  package func framesUntilClosed() async throws -> [RawFrame] {
    var frames: [RawFrame] = []
    while let frame = try await nextFrame() { frames.append(frame) }
    return frames
  }

  package func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

  private func nextFrame() async throws -> RawFrame? {
    let promise = Deadline.promise(of: RawFrame?.self, for: "a frame")
    let inbox = inbox
    channel.eventLoop.execute { inbox.value.next(promise) }
    return try await promise.futureResult.get()
  }
}

/// Decodes received frames, and stores them until they are read.
private final class Inbox: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var received = ByteBuffer()
  private var frames = CircularBuffer<RawFrame>()
  private var waiters: [EventLoopPromise<RawFrame?>] = []
  private var isClosed = false

  func next(_ promise: EventLoopPromise<RawFrame?>) {
    waiters.append(promise)
    serve()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    while let frame = nextFrame() { frames.append(frame) }
    serve()
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    serve()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func nextFrame() -> RawFrame? {
    guard let length: UInt32 = received.getInteger(at: received.readerIndex),
      received.readableBytes >= Int(length) + 10
    else { return nil }
    guard let (_, id, type, flags) = received.readMultipleIntegers(as: (UInt32, UInt32, UInt8, UInt8).self),
      let data = received.readBytes(length: Int(length))
    else { return nil }
    return RawFrame(type, id: id, flags: flags, data)
  }

  private func serve() {
    while !waiters.isEmpty, isClosed || !frames.isEmpty {
      waiters.removeFirst().succeed(frames.isEmpty ? nil : frames.removeFirst())
    }
  }
}
