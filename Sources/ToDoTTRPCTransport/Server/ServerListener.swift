package import Logging
package import NIOCore
import NIOPosix
package import ToDoRPC
package import ToDoTransport

/// Accepts connections on any number of endpoints, and serves ttrpc on each.
package final class ServerListener: Sendable {
  /// The bound endpoints, with the port that the system selected in place of port 0.
  package let endpoints: [Endpoint]

  private let listeners: [any Channel]
  private let sockets: [SocketFile]
  private let connections: ConnectionSet

  private init(
    endpoints: [Endpoint], listeners: [any Channel], sockets: [SocketFile], connections: ConnectionSet
  ) {
    self.endpoints = endpoints
    self.listeners = listeners
    self.sockets = sockets
    self.connections = connections
  }

  /// Binds all endpoints, or none if one fails.
  ///
  /// - Parameters:
  ///   - limiter: the limits that the connections share with those of other listeners. `nil` if there are no others.
  ///   - tls: the TLS configuration of `tls://` endpoints.
  ///   - opensSockets: whether every local user may open the Unix socket files, instead of only the process's own user.
  ///   - inherited: the sockets that are bound already.
  /// - Throws: `EndpointError`, which names the endpoint.
  package static func bind(
    _ endpoints: [Endpoint], methods: MethodTable, configuration: ServerLimits = ServerLimits(),
    limiter: ConnectionLimiter? = nil, tls: ServerTLS? = nil, opensSockets: Bool = false,
    inherited: InheritedSockets = .none, on group: any EventLoopGroup, logger: Logger
  ) async throws -> ServerListener {
    let connections = ConnectionSet()
    let limiter = limiter ?? ConnectionLimiter(configuration)
    let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
      low: configuration.outputPause / 2, high: configuration.outputPause)
    @Sendable func bootstrap(_ tls: ServerTLS?) -> ServerBootstrap {
      ServerBootstrap(group: group)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(limiter.makeGate(for: .ttrpc, logger))
          }
        }
        .childChannelOption(.writeBufferWaterMark, value: waterMark)
        .readingSmallParts()
        .serverChannelOption(.backlog, value: SocketFile.backlog)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          Peer.ofAccepted(channel, trusting: configuration.trustedProxies).flatMapThrowing { peer in
            try configuration.readProxyHeader(channel, peer, limiter)
            try tls?.secure(channel)
            try Self.configure(
              channel, peer, methods: methods, configuration: configuration, limiter: limiter, logger: logger)
            connections.insert(channel)
          }
        }
    }
    var (bound, sockets): ([Endpoint], [SocketFile]) = ([], [])
    var listeners: [any Channel] = []
    do {
      for endpoint in endpoints {
        let (channel, socket) = try await Self.bind(endpoint, tls, opensSockets: opensSockets, inherited, bootstrap)
        listeners.append(channel)
        if let socket { sockets.append(socket) }
        bound.append(endpoint.withPort(channel.localAddress?.port))
      }
    } catch {
      for listener in listeners { try? await listener.close() }
      for socket in sockets { socket.remove() }
      throw error
    }
    return ServerListener(endpoints: bound, listeners: listeners, sockets: sockets, connections: connections)
  }

  /// Prepares an accepted channel. Tests call it with their own channels.
  ///
  /// - Parameter limiter: the limits that the channel shares with others. `nil` if there are no others.
  /// - Throws: `ChannelError.eof` if the peer's Unix user has too many connections.
  package static func configure(
    _ channel: any Channel, _ peer: Peer = Peer(), methods: MethodTable,
    configuration: ServerLimits = ServerLimits(), limiter: ConnectionLimiter? = nil, logger: Logger
  ) throws {
    let account = (limiter ?? ConnectionLimiter(configuration)).account(of: channel)
    if let user = peer.unixUser, !peer.isProxy, !account.setUnixUser(user) { throw ChannelError.eof }
    let handler = ServerConnectionHandler(
      methods: methods, peer: peer, configuration: configuration, account: account, logger: logger)
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  private static func bind(
    _ endpoint: Endpoint, _ tls: ServerTLS?, opensSockets: Bool, _ inherited: InheritedSockets,
    _ bootstrap: (ServerTLS?) -> ServerBootstrap
  ) async throws -> (any Channel, SocketFile?) {
    let descriptor = inherited.descriptor(for: endpoint)
    do {
      switch endpoint {
      case .tcp(let host, let port): return (try await bind(host, port, descriptor, bootstrap(nil)), nil)
      case .tls(let host, let port):
        guard let tls else {
          throw EndpointError(endpoint, "needs a certificate; set '--tls-certificate' and '--tls-key'")
        }
        return (try await bind(host, port, descriptor, bootstrap(tls)), nil)
      case .unix(let path):
        if let descriptor { return (try await bootstrap(nil).withBoundSocket(descriptor).get(), nil) }
        return try await SocketFile.bind(path, isOpen: opensSockets) {
          try await bootstrap(nil).withBoundSocket($0).get()
        }
      }
    } catch let error as EndpointError {
      throw error
    } catch {
      throw EndpointError(endpoint, "cannot listen", error)
    }
  }

  private static func bind(
    _ host: String, _ port: Int, _ descriptor: NIOBSDSocket.Handle?, _ bootstrap: ServerBootstrap
  ) async throws -> any Channel {
    let bootstrap =
      bootstrap
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
    if let descriptor { return try await bootstrap.withBoundSocket(descriptor).get() }
    return try await bootstrap.bind(host: host, port: port).get()
  }

  /// Stops accepting connections, waits for the calls in flight, and closes every connection. Connections that are still
  /// open after the grace period are closed immediately.
  package func shutDown(grace: Duration) async {
    for listener in listeners { try? await listener.close() }
    for socket in sockets { socket.remove() }
    await connections.drain(grace: grace)
  }
}

extension Endpoint {
  fileprivate func withPort(_ port: Int?) -> Endpoint {
    switch (self, port) {
    case (.tcp(let host, 0), let port?): .tcp(host: host, port: port)
    case (.tls(let host, 0), let port?): .tls(host: host, port: port)
    default: self
    }
  }
}
