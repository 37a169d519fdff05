#if GRPC
import Logging
import NIOCore
import NIOEmbedded
import ToDoRPC
import ToDoTransport
import ToDoSupport

@testable import ToDoGRPCTransport

/// One connection of a server, without a socket and with a clock that stands still.
struct EmbeddedConnection {
  let channel = EmbeddedChannel()
  /// The flag that the server sets before it shuts down.
  let shutdownFlag = ShutdownFlag()

  /// Connects to a server of methods.
  ///
  /// - Parameter received: what the client has sent.
  init(
    to methods: [ServerMethod] = [.holding, .saying], limits: ServerLimits = ServerLimits(), received: [UInt8] = []
  ) throws {
    var configuration = GRPCListener.Configuration(endpoint: .tcp(host: "localhost", port: 0))
    configuration.limits = limits
    let services = CallServices(methods, limits: limits, shutdownFlag: shutdownFlag, logger: Logger(label: "test"))
    try GRPCListener.configure(
      channel, configuration, services, ConnectionLimiter(limits).account(of: channel), requiresALPN: false)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    if !received.isEmpty { try receive(received) }
  }

  var isOpen: Bool { channel.isActive }

  var handler: ConnectionHandler {
    get throws { try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self) }
  }

  var state: ConnectionCalls {
    get throws { try handler.state }
  }

  /// Receives bytes from the client.
  func receive(_ bytes: [UInt8]) throws {
    try channel.writeInbound(ByteBuffer(bytes: bytes))
    channel.embeddedEventLoop.run()
  }

  /// The frames that the server has sent since the last call.
  func sentFrames() throws -> [SentFrame] { try SentFrame.all(of: channel) }

  func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  /// Closes the connection, as the client.
  func close() throws {
    try channel.close().wait()
    channel.embeddedEventLoop.run()
  }
}

extension ServerMethod {
  /// `test.Texts/Hold`, whose calls wait for their message.
  static let holding = unary(MethodName(service: "test.Texts", method: "Hold")) { _, _, _ in
    .pending { throw CancellationError() }
  }

  /// `test.Texts/Say`, whose response is empty.
  static let saying = unary(MethodName(service: "test.Texts", method: "Say")) { _, _, _ in
    .ready(OutgoingMessage(encoded: ByteBuffer()))
  }
}
#endif
