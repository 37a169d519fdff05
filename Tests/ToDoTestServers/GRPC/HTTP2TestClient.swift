#if GRPC
package import NIOCore
package import NIOHPACK
package import NIOHTTP2
import NIOPosix
package import ToDoRPC
import ToDoProtocol
package import ToDoTransport

/// A peer that speaks HTTP/2 and sends whatever headers and data a test wants.
package struct HTTP2TestClient: Sendable {
  private let channel: any Channel
  private let multiplexer: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>

  /// Connects during `body`.
  ///
  /// - Parameters:
  ///   - tls: the configuration for a `tls://` endpoint.
  ///   - preface: what is sent before TLS and HTTP/2.
  ///   - isStrict: whether the client rejects invalid headers, its own and the server's.
  package static func with<Value>(
    _ endpoint: Endpoint, tls: ClientTLS = ClientTLS(), preface: [UInt8] = [], isStrict: Bool = false,
    _ body: (HTTP2TestClient) async throws -> Value
  ) async throws -> Value {
    let client = try await connect(to: endpoint, tls, preface, isStrict: isStrict)
    do {
      let value = try await body(client)
      try? await client.channel.close()
      return value
    } catch {
      try? await client.channel.close()
      throw error
    }
  }

  private static func connect(
    to endpoint: Endpoint, _ tls: ClientTLS, _ preface: [UInt8], isStrict: Bool
  ) async throws -> HTTP2TestClient {
    let (host, port, isSecure): (String, Int, Bool) =
      switch endpoint {
      case .tcp(let host, let port): (host, port, false)
      case .tls(let host, let port): (host, port, true)
      case .unix: preconditionFailure("there is no HTTP/2 on Unix sockets")
      }
    var configuration = NIOHTTP2Handler.Configuration()
    if !isStrict {
      configuration.connection.headerBlockValidation = .disabled
      configuration.connection.contentLengthValidation = .disabled
    }
    // The server acknowledges many pings.
    configuration.connection.controlFrameRateLimit.maximumCount = 10_000
    return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: host, port: port) { [configuration] channel in
        channel.eventLoop.makeCompletedFuture {
          if !preface.isEmpty { try channel.pipeline.syncOperations.addHandler(Preface(preface)) }
          if isSecure { try tls.secureHTTP2(channel) }
          let multiplexer = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
            mode: .client, configuration: configuration
          ) { $0.eventLoop.makeSucceededVoidFuture() }
          return HTTP2TestClient(channel: channel, multiplexer: multiplexer)
        }
      }
  }

  /// Returns when the server has closed the connection.
  package func closed() async throws {
    let closed = Deadline.promise(of: Void.self, for: "the server to close the connection")
    channel.closeFuture.cascade(to: closed)
    try await closed.futureResult.get()
  }

  package func ping() async throws {
    let ping = HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: 7), ack: false))
    try await channel.writeAndFlush(ping)
  }

  /// Opens a stream.
  ///
  /// - Parameter isReading: whether the client reads the answer.
  package func open(isReading: Bool = true) async throws -> HTTP2TestStream {
    let answer = Deadline.promise(of: HTTP2TestStream.Answer.self, for: "an answer")
    let channel = try await open { stream in
      try stream.syncOptions?.setOption(.autoRead, value: isReading)
      try stream.pipeline.syncOperations.addHandler(AnswerCollector(answer))
      return stream
    }
    return HTTP2TestStream(channel: channel, answer: answer.futureResult)
  }

  /// Opens a stream.
  ///
  /// - Parameter prepare: called on the event loop, with the channel of the stream.
  func open<Value: Sendable>(
    _ prepare: @escaping @Sendable (any Channel) throws -> Value
  ) async throws -> Value {
    try await multiplexer.openStream { stream in
      stream.eventLoop.makeCompletedFuture {
        // The stream would wait forever for a closed connection.
        guard stream.parent?.isActive == true else { throw ChannelError.ioOnClosedChannel }
        return try prepare(stream)
      }
    }
  }

  /// Calls a method of `TestMethods` with headers that are added, or replace the usual ones.
  package func call(
    _ method: String, _ text: String = "x", headers: [(String, String)] = []
  ) async throws -> HTTP2TestStream.Answer {
    let stream = try await open()
    try await stream.send(headers: HTTP2TestStream.headers(method, headers))
    // A server that rejects the headers has already closed the stream.
    try? await stream.send(HTTP2TestStream.message(text), endStream: true)
    return try await stream.answer.get()
  }
}

package struct HTTP2TestStream: Sendable {
  /// The frames that the server sent on a stream.
  package struct Answer: Sendable {
    package var headers = HPACKHeaders()
    package var data: [UInt8] = []
    /// The code with which the server reset the stream; `nil` if the server ended it.
    package var reset: HTTP2ErrorCode?

    package var status: StatusCode? {
      headers.first(name: "grpc-status").flatMap(Int32.init).flatMap(StatusCode.init(rawValue:))
    }
  }

  fileprivate let channel: any Channel
  package let answer: EventLoopFuture<Answer>

  package func send(headers: HPACKHeaders, endStream: Bool = false) async throws {
    try await channel.writeAndFlush(
      HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: endStream)))
  }

  package func send(_ bytes: [UInt8], endStream: Bool = false) async throws {
    try await channel.writeAndFlush(
      HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: endStream)))
  }

  /// Sends bytes without waiting until the stream can send them.
  package func sendWithoutWaiting(_ bytes: [UInt8]) {
    channel.writeAndFlush(
      HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
  }

  package func cancel() async throws {
    try await channel.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.cancel))
  }

  /// The headers of a call.
  package static func headers(
    _ method: String, of service: String = TestMethods.service, _ changes: [(String, String)] = []
  ) -> HPACKHeaders {
    var headers: HPACKHeaders = [
      ":method": "POST", ":scheme": "http", ":path": "/\(service)/\(method)", ":authority": "localhost",
      "content-type": "application/grpc", "te": "trailers",
    ]
    for (name, value) in changes {
      guard name.hasPrefix(":") || name == "content-type" else {
        headers.add(name: name, value: value)
        continue
      }
      // Replaced in place, because HTTP/2 requires pseudo-headers to be first.
      headers = HPACKHeaders(headers.map { ($0.name, $0.name == name ? value : $0.value) })
    }
    return headers
  }

  /// A message of `TestMethods` with its prefix.
  package static func message(_ text: String, flag: UInt8 = 0) -> [UInt8] {
    let bytes = HealthMethods.check.request.encoded(text)
    return prefix(bytes.count, flag: flag) + bytes
  }

  package static func prefix(_ length: Int, flag: UInt8 = 0) -> [UInt8] {
    [flag] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
  }
}

/// Writes bytes when the connection is open, before all others.
private final class Preface: ChannelInboundHandler {
  typealias InboundIn = Never
  typealias OutboundOut = ByteBuffer

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    context.fireChannelActive()
  }
}

private final class AnswerCollector: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload

  private let promise: EventLoopPromise<HTTP2TestStream.Answer>
  private var answer = HTTP2TestStream.Answer()

  init(_ promise: EventLoopPromise<HTTP2TestStream.Answer>) { self.promise = promise }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let frame):
      answer.headers.add(contentsOf: frame.headers)
      if frame.endStream { promise.succeed(answer) }
    case .data(let frame):
      if case .byteBuffer(let bytes) = frame.data { answer.data += bytes.readableBytesView }
      if frame.endStream { promise.succeed(answer) }
    case .rstStream(let code):
      answer.reset = code
      promise.succeed(answer)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }

  // The end of the stream reports the error too.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
#endif
