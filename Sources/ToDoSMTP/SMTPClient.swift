#if Nominatim
import NIOCore
import NIOPosix
package import NIOSSL
import ToDoHTTP

/// Sends messages to one mail server, each on its own connection. It holds nothing while it sends nothing.
package struct SMTPClient: Sendable {
  private let server: SMTPServer
  private let credentials: SMTPServer.Credentials?
  private let stepLimit: Duration
  /// `nil` if connections are not encrypted.
  private let tls: NIOSSLContext?

  /// The default time limit of connecting and each step.
  package static let stepLimit = Duration.seconds(10)

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - credentials: sent only over TLS or to this machine; `nil` for none.
  ///   - trustRoots: the authorities to which the server's certificate must chain.
  /// - Throws: an error of NIOSSL if the authorities cannot be read.
  package init(
    _ server: SMTPServer, credentials: SMTPServer.Credentials? = nil, trustRoots: NIOSSLTrustRoots = .default,
    stepLimit: Duration = Self.stepLimit
  ) throws {
    (self.server, self.credentials, self.stepLimit) = (server, credentials, stepLimit)
    guard server.security != .loopbackOnly else {
      tls = nil
      return
    }
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.certificateVerification = .fullVerification
    configuration.trustRoots = trustRoots
    tls = try NIOSSLContext(configuration: configuration)
  }

  /// Sends a message.
  ///
  /// - Throws: `CancellationError` as soon as the task is canceled. The server may have taken the message.
  package func send(_ message: SMTPMessage) async throws -> SMTPOutcome {
    try Task.checkCancellation()
    let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: SMTPOutcome.self)
    return try await withTaskCancellationHandler {
      connect(message, promise)
      return try await promise.futureResult.get()
    } onCancel: {
      promise.fail(CancellationError())
    }
  }

  /// Connects and sends a message. The connection is closed when the promise fails.
  private func connect(_ message: SMTPMessage, _ promise: EventLoopPromise<SMTPOutcome>) {
    let connection = ClientBootstrap(group: promise.futureResult.eventLoop)
      .connectTimeout(TimeAmount(stepLimit))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if server.security == .implicitTLS { try pipeline.addHandler(makeTLS()) }
          if server.security == .loopbackOnly { try pipeline.addHandler(LoopbackCheck()) }
          let exchange = SMTPExchange(message, security: server.security, credentials: credentials)
          try pipeline.addHandler(
            SMTPConnection(exchange, limit: TimeAmount(stepLimit), promise, makeTLS: makeTLS))
        }
      }
      .connect(host: server.host, port: server.port)
    connection.whenFailure { promise.succeed(.failed("\(HTTPError(mapping: $0))")) }
    connection.whenSuccess { channel in
      promise.futureResult.whenFailure { _ in channel.close(promise: nil) }
    }
  }

  private func makeTLS() throws -> NIOSSLClientHandler {
    guard let tls else { throw HTTPError.unavailable(detail: "the connection cannot be encrypted") }
    // TLS cannot send an address as the server's name; the certificate is checked for the address then.
    let isAddress = (try? SocketAddress(ipAddress: server.host, port: server.port)) != nil
    return try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : server.host)
  }
}

/// Closes a connection that is not encrypted and leaves this machine, before anything is read or sent.
final class LoopbackCheck: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    guard context.remoteAddress?.isLoopback == true else {
      context.fireErrorCaught(HTTPError.unavailable(detail: "the mail server is not on this machine"))
      return
    }
    context.fireChannelActive()
  }
}

extension SocketAddress {
  /// Whether the address is one of this machine's loopback interface.
  var isLoopback: Bool {
    guard let ipAddress else { return false }
    return ipAddress == "::1" || (ipAddress.hasPrefix("127.") && `protocol` == .inet)
  }
}
#endif
