#if Nominatim
import NIOCore
package import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
package import ToDoTestCertificates
import ToDoTestSupport
import Testing

/// An HTTP server on the loopback interface that sends the responses of a test, byte by byte.
package final class LocalHTTPServer: Sendable {
  /// A response.
  package enum Response: Sendable {
    /// A complete response.
    case response(status: Int = 200, headers: [String] = [], body: String = "")
    /// Sends these bytes and closes the connection.
    case raw(String)
    /// Sends these bytes and then nothing more.
    case stall(after: String = "")
    /// Sends these bytes, and then a part again and again until the connection is closed.
    case flood(after: String, part: String)
  }

  /// Returns the response to a request.
  package typealias RequestHandler = @Sendable (_ request: HTTPRequestHead, _ server: LocalHTTPServer) -> Response

  private struct State {
    var port = 0
    var requests: [HTTPRequestHead] = []
    var bodies: [[UInt8]] = []
    var channels: [any Channel] = []
  }

  private let state = Mutex(State())
  private let respond: RequestHandler
  private let tls: NIOSSLContext?

  private init(_ tls: NIOSSLContext?, _ respond: @escaping RequestHandler) {
    self.tls = tls
    self.respond = respond
  }

  /// The URL of the server.
  package var url: String { "\(tls == nil ? "http" : "https")://127.0.0.1:\(state.withLock(\.port))" }

  /// The requests received so far.
  package var requests: [HTTPRequestHead] { state.withLock(\.requests) }

  /// The bodies of the requests received so far.
  package var bodies: [[UInt8]] { state.withLock(\.bodies) }

  /// Waits until `count` requests were received.
  package func waitForRequests(_ count: Int = 1) async {
    await waitUntil("\(count) requests were received") { requests.count >= count }
  }

  /// Listens on a free port while `body` runs.
  ///
  /// - Parameter certificate: the files of the certificate and the key, if the server speaks TLS.
  @discardableResult
  package static func with<Value>(
    certificate: TestCertificates.Files? = nil, _ respond: @escaping RequestHandler,
    _ body: (LocalHTTPServer) async throws -> Value
  ) async throws -> Value {
    let server = LocalHTTPServer(try certificate.map { try $0.context }, respond)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        server.state.withLock { $0.channels.append(channel) }
        return channel.eventLoop.makeCompletedFuture {
          if let tls = server.tls {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          try channel.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(HTTPRequestDecoder()), Handler(server: server))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    server.state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    let result: Result<Value, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    try? await listener.close()
    for channel in server.state.withLock(\.channels) { try? await channel.close() }
    return try result.get()
  }

  private func response(to request: HTTPRequestHead, _ body: [UInt8]) -> Response {
    state.withLock { state in
      state.requests.append(request)
      state.bodies.append(body)
    }
    return respond(request, self)
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let server: LocalHTTPServer
    private var request: (head: HTTPRequestHead, body: [UInt8])?

    init(server: LocalHTTPServer) {
      self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): request = (head, [])
      case .body(let bytes): request?.body += bytes.readableBytesView
      case .end:
        if let request { respond(server.response(to: request.head, request.body), context) }
        request = nil
      }
    }

    private func respond(_ response: Response, _ context: ChannelHandlerContext) {
      switch response {
      case .response(let status, let headers, let body):
        let lines = ["HTTP/1.1 \(status) Test", "Content-Length: \(body.utf8.count)"] + headers
        write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body, context)
      case .raw(let text):
        write(text, context)
        context.close(promise: nil)
      case .stall(let text): write(text, context)
      case .flood(let text, let part):
        write(text, context)
        flood(ByteBuffer(string: String(repeating: part, count: 16_384 / part.utf8.count + 1)), context)
      }
    }

    private func flood(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
      let (isolated, loop) = (NIOLoopBound((self, context), eventLoop: context.eventLoop), context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(part)).whenSuccess {
        // In the next turn of the event loop, because the write may complete at once.
        loop.execute { isolated.value.0.flood(part, isolated.value.1) }
      }
    }

    /// Responds to what is not HTTP as other servers do.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", context)
      context.close(promise: nil)
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
  }
}

extension TestCertificates.Files {
  fileprivate var context: NIOSSLContext {
    get throws {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
      let key = try NIOSSLPrivateKey(file: key, format: .pem)
      return try NIOSSLContext(
        configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }
  }
}
#endif
