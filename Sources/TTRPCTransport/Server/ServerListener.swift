package import Logging
package import NIOCore
import NIOPosix
package import RPC
package import Transport

/// Accepts connections on any number of endpoints, and speaks ttrpc on each.
package final class ServerListener: Sendable {
  /// The endpoints as bound: with the port that was picked for port 0.
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

  /// Binds all endpoints, or none.
  ///
  /// - Parameters:
  ///   - limiter: what its connections share with those of other listeners; `nil`: there are no others.
  ///   - tls: for the endpoints that speak TLS.
  ///   - opensSockets: whether every user of the machine may open the files of Unix sockets, and not the process's own
  ///     alone.
  /// - Throws: `EndpointError` that names the endpoint.
  package static func bind(
    _ endpoints: [Endpoint], methods: MethodTable, configuration: ServerLimits = ServerLimits(),
    limiter: ConnectionLimiter? = nil, tls: ServerTLS? = nil, opensSockets: Bool = false,
    on group: any EventLoopGroup, logger: Logger
  ) async throws -> ServerListener {
    let connections = ConnectionSet()
    let limiter = limiter ?? ConnectionLimiter(configuration)
    let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
      low: configuration.outputPause / 2, high: configuration.outputPause)
    @Sendable func bootstrap(_ tls: ServerTLS?) -> ServerBootstrap {
      ServerBootstrap(group: group)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(limiter.makeGate(logger))
          }
        }
        .childChannelOption(.writeBufferWaterMark, value: waterMark)
        .serverChannelOption(.backlog, value: SocketFile.backlog)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          Peer.ofAccepted(channel).flatMapThrowing { peer in
            try tls?.secure(channel)
            try Self.configure(
              channel, peer, methods: methods, configuration: configuration, limiter: limiter, logger: logger)
            connections.insert(channel)
          }
        }
    }
    var bound: [Endpoint] = []
    var listeners: [any Channel] = []
    var sockets: [SocketFile] = []
    do {
      for endpoint in endpoints {
        let (channel, socket) = try await Self.bind(endpoint, tls, opensSockets: opensSockets, bootstrap)
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

  /// Prepares an accepted channel; also for tests that bring their own.
  ///
  /// - Parameter limiter: what the channel shares with others; `nil`: there are no others.
  /// - Throws: `ChannelError.eof` if the Unix user at its other end has too many connections.
  package static func configure(
    _ channel: any Channel, _ peer: Peer = Peer(), methods: MethodTable,
    configuration: ServerLimits = ServerLimits(), limiter: ConnectionLimiter? = nil, logger: Logger
  ) throws {
    let account = (limiter ?? ConnectionLimiter(configuration)).account(of: channel)
    if let user = peer.unixUser, !account.setUnixUser(user) { throw ChannelError.eof }
    let handler = ServerConnectionHandler(
      methods: methods, peer: peer, configuration: configuration, account: account, logger: logger)
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  private static func bind(
    _ endpoint: Endpoint, _ tls: ServerTLS?, opensSockets: Bool, _ bootstrap: (ServerTLS?) -> ServerBootstrap
  ) async throws -> (any Channel, SocketFile?) {
    do {
      switch endpoint {
      case .tcp(let host, let port): return (try await bind(host, port, bootstrap(nil)), nil)
      case .tls(let host, let port):
        guard let tls else { throw EndpointError(endpoint, "there is no certificate to listen with") }
        return (try await bind(host, port, bootstrap(tls)), nil)
      case .unix(let path):
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

  private static func bind(_ host: String, _ port: Int, _ bootstrap: ServerBootstrap) async throws -> any Channel {
    try await bootstrap
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .bind(host: host, port: port).get()
  }

  /// Accepts no more, lets the calls in flight finish, and closes every connection, by force when the time is over.
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
