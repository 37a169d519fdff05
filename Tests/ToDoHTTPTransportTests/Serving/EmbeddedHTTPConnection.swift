#if HTTP
import Logging
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// One connection of a server, without a socket and with a clock that stands still.
struct EmbeddedHTTPConnection {
  /// Keeps the connection open when the server has ended its side, which an embedded channel does not do.
  private final class OutputEnd: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    var hasEnded = false

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      guard mode == .output else { return context.close(mode: mode, promise: promise) }
      hasEnded = true
      promise?.succeed()
    }
  }

  let channel = EmbeddedChannel()
  private let outputEnd = OutputEnd()
  let shutdownFlag = ShutdownFlag()

  /// Connects to a server of methods and endpoints.
  init(
    to methods: [ServerMethod] = [.saying, .holding], limits: ServerLimits = ServerLimits(),
    origins: OriginPolicy = OriginPolicy(), endpoints: [any HTTPEndpoint] = [], peer: Peer = Peer(),
    limiter: ConnectionLimiter? = nil
  ) throws {
    let services = CallServices(methods, limits: limits, shutdownFlag: shutdownFlag, logger: Logger(label: "test"))
    let date = DateHeader { 784_111_777 }
    let router = HTTPRouter(services, origins: origins, endpoints: endpoints, date: date)
    try channel.pipeline.syncOperations.addHandler(outputEnd)
    try HTTPListener.configure(channel, peer, router, (limiter ?? ConnectionLimiter(limits)).account(of: channel))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  var isOpen: Bool { channel.isActive }

  /// Whether the server has ended its side of the connection.
  var hasOutputEnded: Bool { outputEnd.hasEnded || !isOpen }

  /// The server's state of the connection.
  var handler: HTTPConnectionHandler {
    get throws { try channel.pipeline.syncOperations.handler(type: HTTPConnectionHandler.self) }
  }

  /// Receives bytes from the client.
  func receive(_ text: String) { receive(bytes: Array(text.utf8)[...]) }

  /// Receives bytes from the client.
  func receive(bytes: ArraySlice<UInt8>) {
    // An error reaches the end of the pipeline only if the connection does not handle it.
    _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
    channel.embeddedEventLoop.run()
  }

  /// The bytes that the server has sent since the last call, as text.
  func sent() throws -> String { String(decoding: try sentBytes(), as: UTF8.self) }

  /// The bytes that the server has sent since the last call.
  func sentBytes() throws -> [UInt8] {
    channel.embeddedEventLoop.run()
    var bytes: [UInt8] = []
    while let data = try channel.readOutbound(as: IOData.self) {
      if case .byteBuffer(let part) = data { bytes += part.readableBytesView }
    }
    return bytes
  }

  /// Sends a request, and returns the status of the response; `nil` if there is none.
  func status(_ request: String) throws -> Int? {
    receive(request)
    let line = try sent().prefix { $0 != "\r\n" }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }
}

extension String {
  /// The head of a call of `test.Texts/Say` whose body has a length.
  static func call(length: Int) -> String {
    request(
      "POST /test.Texts/Say HTTP/1.1",
      ["Host: localhost", "Content-Type: application/proto", "Content-Length: \(length)"])
  }

  /// A call of a method of `test.Texts`.
  static func call(
    _ method: String = "Say", _ headers: [String] = [], type: String = "application/proto", body: String = ""
  ) -> String {
    request(
      "POST /test.Texts/\(method) HTTP/1.1",
      ["Host: localhost", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + headers, body)
  }

  /// A request of lines.
  static func request(_ line: String, _ headers: [String] = ["Host: localhost"], _ body: String = "") -> String {
    ([line] + headers).joined(separator: "\r\n") + "\r\n\r\n" + body
  }
}

extension ServerMethod {
  /// `test.Texts/Say`, whose response is its request.
  static let saying = unary(MethodName(service: "test.Texts", method: "Say")) { bytes, _, _ in
    .ready(OutgoingMessage(encoded: ByteBuffer(bytes: bytes)))
  }

  /// `test.Texts/Hold`, whose calls last until they are canceled.
  static let holding = unary(MethodName(service: "test.Texts", method: "Hold")) { _, _, _ in
    .pending {
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
  }
}
#endif
