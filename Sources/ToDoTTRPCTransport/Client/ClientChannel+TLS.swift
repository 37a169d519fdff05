#if TLS
import NIOCore
import NIOPosix
import ToDoRPC
import ToDoTransport

extension ClientChannel {
  /// Connects, and returns when the TLS handshake is complete.
  static func connect(
    toHost host: String, _ port: Int, _ configuration: ClientConfiguration, on group: any EventLoopGroup,
    _ prepare: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> any Channel {
    let context = try configuration.tls.context()
    let loop = group.next()
    let handshake = loop.makePromise(of: Void.self)
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(configuration.connectTimeout))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try context.secure(channel, to: host, handshake, limit: configuration.connectTimeout)
          try prepare(channel)
        }
      }
    do {
      let channel = try await bootstrap.connect(host: host, port: port).get()
      try await handshake.futureResult.get()
      return channel
    } catch {
      handshake.fail(error)
      guard let error = error as? HandshakeError else { throw error }
      throw RPCError(error, at: .tls(host: host, port: port))
    }
  }
}
#endif
