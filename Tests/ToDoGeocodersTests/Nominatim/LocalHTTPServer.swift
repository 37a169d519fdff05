import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A web server on the loopback interface that says what a test tells it, byte by byte.
final class LocalHTTPServer: Sendable {
  enum Answer: Sendable {
    case reply(status: Int = 200, headers: [String] = [], body: String = "")
    /// These bytes, and then the connection is closed.
    case raw(String)
    /// These bytes, and then nothing.
    case stall(after: String = "")
  }

  typealias Respond = @Sendable (_ request: HTTPRequestHead, _ server: LocalHTTPServer) -> Answer

  private struct State {
    var port = 0
    var requests: [HTTPRequestHead] = []
    var channels: [any Channel] = []
  }

  private let state = Mutex(State())
  private let respond: Respond

  private init(_ respond: @escaping Respond) {
    self.respond = respond
  }

  var url: String { "http://127.0.0.1:\(state.withLock(\.port))" }

  /// All requests until now.
  var requests: [HTTPRequestHead] { state.withLock(\.requests) }

  /// Returns when there have been so many requests.
  func waitForRequests(_ count: Int = 1) async {
    while requests.count < count { await Task.yield() }
  }

  /// Listens at a free port during `body`.
  @discardableResult
  static func with<Value>(
    _ respond: @escaping Respond, _ body: (LocalHTTPServer) async throws -> Value
  ) async throws -> Value {
    let server = LocalHTTPServer(respond)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        server.state.withLock { $0.channels.append(channel) }
        return channel.eventLoop.makeCompletedFuture {
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

  private func answer(to request: HTTPRequestHead) -> Answer {
    state.withLock { $0.requests.append(request) }
    return respond(request, self)
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let server: LocalHTTPServer

    init(server: LocalHTTPServer) {
      self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      switch server.answer(to: head) {
      case .reply(let status, let headers, let body):
        let lines = ["HTTP/1.1 \(status) Whatever", "Content-Length: \(body.utf8.count)"] + headers
        write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body, context)
      case .raw(let text):
        write(text, context)
        context.close(promise: nil)
      case .stall(let text): write(text, context)
      }
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
  }
}
