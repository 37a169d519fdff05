#if HTTP
package import Logging
package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import ToDoGRPCTransport
package import ToDoProtobufJSON
package import ToDoRPC
package import ToDoTransport

/// Serves a server's methods over HTTP at one endpoint, with the Connect protocol, and other endpoints beside them.
package final class HTTPListener: RPCListener {
  /// The configuration of a listener.
  package struct Configuration: Sendable {
    /// The address to listen on, with or without TLS.
    package var endpoint: Endpoint
    /// The limits of connections and calls. A message may be as long as a ttrpc frame's data.
    package var limits = ServerLimits()
    /// The TLS configuration of a `tls://` endpoint.
    package var tls: ServerTLS?
    /// Whether every local user may open the file of a `unix://` endpoint, instead of only the process's own user.
    package var opensSocket = false
    /// The sockets that a service manager has opened.
    package var inheritedSockets = InheritedSockets.none
    /// The origins of web pages that may call the server from browsers, as `https://HOST` or `https://HOST:PORT`.
    package var origins: Set<String> = []
    /// Whether server reflection is served over gRPC, to any caller.
    package var servesReflection = true
    /// The converters of the methods' messages from and to JSON.
    package var messages = MessageJSON.methods
    /// The endpoints that are served beside the methods.
    package var endpoints: [any HTTPEndpoint] = []

    /// Creates a configuration with default limits.
    package init(endpoint: Endpoint) {
      self.endpoint = endpoint
    }
  }

  private let configuration: Configuration
  private let group: any EventLoopGroup
  private let logger: Logger
  private let onBound: @Sendable (Endpoint) -> Void
  private let connections = ConnectionSet()
  private let end = AsyncStream<Never>.makeStream()
  private let shutdownFlag = ShutdownFlag()
  private let listening = Mutex<Listening?>(nil)

  private struct Listening: Sendable {
    let channel: any Channel
    let socket: SocketFile?
  }

  /// Creates a listener.
  ///
  /// - Parameter onBound: called once, with the bound endpoint and its actual port.
  package init(
    _ configuration: Configuration, on group: any EventLoopGroup, logger: Logger,
    onBound: @escaping @Sendable (Endpoint) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.group = group
    self.logger = logger
    self.onBound = onBound
  }

  package func serve(
    _ methods: MethodTable, limiter: ConnectionLimiter, onReady: @escaping @Sendable () -> Void
  ) async throws {
    let router = router(methods.methods)
    let (channel, socket) = try await bind(router, limiter)
    listening.withLock { $0 = Listening(channel: channel, socket: socket) }
    onBound(configuration.endpoint.withPort(channel.localAddress?.port))
    onReady()
    for await _ in end.stream {}
    await stopListening()
    await connections.drain(grace: .zero)
  }

  package func shutDown(grace: Duration) async {
    shutdownFlag.set()
    await stopListening()
    await connections.drain(grace: grace)
    end.continuation.finish()
  }

  private func stopListening() async {
    let stopped = listening.withLock { listening in
      defer { listening = nil }
      return listening
    }
    try? await stopped?.channel.close()
    stopped?.socket?.remove()
  }

  private func router(_ methods: [ServerMethod]) -> HTTPRouter {
    func services(_ methods: [ServerMethod]) -> CallServices {
      CallServices(methods, limits: configuration.limits, shutdownFlag: shutdownFlag, logger: logger)
    }
    let health = HealthEndpoint(methods).map { [$0] } ?? []
    return HTTPRouter(
      services(methods), grpc: configuration.servesReflection ? services(methods.addingReflection()) : nil,
      origins: OriginPolicy(origins: configuration.origins, host: configuration.endpoint.host),
      endpoints: health + configuration.endpoints, messages: configuration.messages)
  }

  // MARK: Listening

  /// - Throws: `EndpointError`.
  private func bind(
    _ router: HTTPRouter, _ limiter: ConnectionLimiter
  ) async throws -> (any Channel, SocketFile?) {
    let endpoint = configuration.endpoint
    let inherited = configuration.inheritedSockets.descriptor(for: endpoint)
    do {
      switch endpoint {
      case .tcp(let host, let port): return (try await bind(host, port, inherited, bootstrap(router, limiter)), nil)
      case .tls(let host, let port):
        guard configuration.tls != nil else {
          throw EndpointError(endpoint, "needs a certificate; set '--tls-certificate' and '--tls-key'")
        }
        return (try await bind(host, port, inherited, bootstrap(router, limiter)), nil)
      case .unix(let path):
        let bootstrap = bootstrap(router, limiter)
        if let inherited { return (try await bootstrap.withBoundSocket(inherited).get(), nil) }
        return try await SocketFile.bind(path, isOpen: configuration.opensSocket) {
          try await bootstrap.withBoundSocket($0).get()
        }
      }
    } catch let error as EndpointError {
      throw error
    } catch {
      throw EndpointError(endpoint, "cannot listen", error)
    }
  }

  private func bind(
    _ host: String, _ port: Int, _ inherited: NIOBSDSocket.Handle?, _ bootstrap: ServerBootstrap
  ) async throws -> any Channel {
    let bootstrap =
      bootstrap
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
    if let inherited { return try await bootstrap.withBoundSocket(inherited).get() }
    return try await bootstrap.bind(host: host, port: port).get()
  }

  private func bootstrap(_ router: HTTPRouter, _ limiter: ConnectionLimiter) -> ServerBootstrap {
    let tls: ServerTLS? = if case .tls = configuration.endpoint { configuration.tls } else { nil }
    let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
      low: configuration.limits.outputPause / 2, high: configuration.limits.outputPause)
    return ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: SocketFile.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: waterMark)
      .readingSmallParts()
      .serverChannelInitializer { [logger] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(limiter.makeGate(for: .http, logger))
        }
      }
      .childChannelInitializer { [connections] channel in
        Peer.ofAccepted(channel, trusting: router.limits.trustedProxies).flatMapThrowing { peer in
          try router.limits.readProxyHeader(channel, peer, limiter)
          try tls?.secure(channel, speaking: .http)
          try Self.configure(channel, peer, router, limiter.account(of: channel), isSecure: tls != nil)
          connections.insert(channel)
        }
      }
  }

  /// Prepares a connection without a listener to serve methods.
  ///
  /// - Throws: an error if the channel is closed.
  package static func configure(
    _ channel: any Channel, toServe methods: [ServerMethod], _ limits: ServerLimits, _ logger: Logger
  ) throws {
    let services = CallServices(methods, limits: limits, shutdownFlag: ShutdownFlag(), logger: logger)
    try configure(channel, Peer(), HTTPRouter(services), ConnectionLimiter(limits).account(of: channel))
  }

  /// Prepares a connection to serve requests.
  ///
  /// - Throws: `ChannelError.eof` if the peer's Unix user has too many connections.
  static func configure(
    _ channel: any Channel, _ peer: Peer, _ router: HTTPRouter, _ account: ConnectionAccount, isSecure: Bool = false
  ) throws {
    if let user = peer.unixUser, !peer.isProxy, !account.setUnixUser(user) { throw ChannelError.eof }
    let selector = VersionSelector(isNegotiated: isSecure, router.limits) { channel, version in
      let state = ConnectionCalls(
        channel, router.limits, account, maximumCalls: version == .http1 ? 1 : HTTP2Connection.maximumStreams)
      state.setPeer(peer)
      switch version {
      case .http1: try Self.configureHTTP1(channel, state, router, account)
      case .http2:
        try HTTP2Connection.configure(channel, state, router.limits, account, requiresALPN: false) {
          HTTPStreamHandler(router, $0, account)
        }
      }
    }
    try channel.pipeline.syncOperations.addHandler(selector)
  }

  private static func configureHTTP1(
    _ channel: any Channel, _ state: ConnectionCalls, _ router: HTTPRouter, _ account: ConnectionAccount
  ) throws {
    let handler = HTTPConnectionHandler(router, state, account)
    let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: .ofHeads)
    try channel.pipeline.syncOperations.addHandlers(
      handler.gate, ByteToMessageHandler(decoder), HTTPResponseEncoder(), handler)
  }
}

extension NIOHTTPDecoderLimitConfiguration {
  /// The limits of heads and trailers, which the gate has already applied to heads.
  fileprivate static var ofHeads: Self {
    let limits = HeadScanner.Limits()
    var configuration = Self()
    configuration.maxHeaderFieldSize = limits.bytes
    configuration.maxHeaderListSize = limits.bytes
    configuration.maxHeaderFieldCount = limits.fields
    return configuration
  }
}

extension Endpoint {
  /// The host name or address; `nil` for a Unix socket.
  fileprivate var host: String? {
    switch self {
    case .tcp(let host, _), .tls(let host, _): host
    case .unix: nil
    }
  }

  fileprivate func withPort(_ port: Int?) -> Endpoint {
    switch (self, port) {
    case (.tcp(let host, 0), let port?): .tcp(host: host, port: port)
    case (.tls(let host, 0), let port?): .tls(host: host, port: port)
    default: self
    }
  }
}
#endif
