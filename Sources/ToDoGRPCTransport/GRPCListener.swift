#if GRPC
package import Logging
package import NIOCore
import NIOPosix
package import ToDoRPC
import Synchronization
package import ToDoTransport

/// Serves a server's methods over gRPC at one endpoint, with the schema's reflection.
package final class GRPCListener: RPCListener {
  /// The configuration of a listener.
  package struct Configuration: Sendable {
    /// The host and port to listen on, with or without TLS.
    package var endpoint: Endpoint
    /// The limits of connections and calls. A message may be as long as a ttrpc frame's data.
    package var limits = ServerLimits()
    /// The maximum number of calls in flight on one connection.
    package var maximumStreams = HTTP2Connection.maximumStreams
    /// The TLS configuration of a `tls://` endpoint.
    package var tls: ServerTLS?
    /// The sockets that a service manager has opened.
    package var inheritedSockets = InheritedSockets.none
    /// Whether server reflection is served, to any caller.
    package var servesReflection = true

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
  private let shutdownFlag = ShutdownFlag()
  private let end = AsyncStream<Never>.makeStream()
  private let listening = Mutex<(any Channel)?>(nil)

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
    let methods = configuration.servesReflection ? methods.methods.addingReflection() : methods.methods
    let services = CallServices(methods, limits: configuration.limits, shutdownFlag: shutdownFlag, logger: logger)
    let (channel, endpoint) = try await bind(services, limiter)
    listening.withLock { $0 = channel }
    onBound(endpoint)
    onReady()
    for await _ in end.stream {}
    // This has no effect after `shutDown`.
    try? await channel.close()
    await connections.drain(grace: .zero)
  }

  package func shutDown(grace: Duration) async {
    shutdownFlag.set()
    try? await listening.withLock(\.self)?.close()
    await connections.drain(grace: grace)
    end.continuation.finish()
  }

  // MARK: Listening

  /// - Throws: `EndpointError`.
  private func bind(
    _ services: CallServices, _ limiter: ConnectionLimiter
  ) async throws -> (any Channel, Endpoint) {
    let (host, port, tls) = try address
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .readingSmallParts()
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .serverChannelInitializer { [logger] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(limiter.makeGate(for: .grpc, logger))
        }
      }
      .childChannelInitializer { [configuration, connections] channel in
        channel.eventLoop.makeCompletedFuture {
          let peer = Peer(channel.remoteAddress, trusting: configuration.limits.trustedProxies)
          try configuration.limits.readProxyHeader(channel, peer, limiter)
          try tls?.secure(channel, speaking: .http2)
          let account = limiter.account(of: channel)
          if tls == nil {
            try Self.select(channel, configuration, services, account)
          } else {
            try Self.configure(channel, configuration, services, account, requiresALPN: true)
          }
          connections.insert(channel)
        }
      }
    do {
      let inherited = configuration.inheritedSockets.descriptor(for: configuration.endpoint)
      let channel =
        if let inherited { try await bootstrap.withBoundSocket(inherited).get() } else {
          try await bootstrap.bind(host: host, port: port).get()
        }
      let bound = channel.localAddress?.port ?? port
      return (channel, tls == nil ? .tcp(host: host, port: bound) : .tls(host: host, port: bound))
    } catch {
      throw EndpointError(configuration.endpoint, "cannot listen", error)
    }
  }

  /// Prepares a connection without TLS, which serves calls if its first bytes are those of HTTP/2.
  static func select(
    _ channel: any Channel, _ configuration: Configuration, _ services: CallServices, _ account: ConnectionAccount
  ) throws {
    let limits = configuration.limits
    let selector = VersionSelector(isNegotiated: false, limits) { channel, version in
      switch version {
      case .http1: try channel.pipeline.syncOperations.addHandler(HTTP1Refusal(limits))
      case .http2: try Self.configure(channel, configuration, services, account, requiresALPN: false)
      }
    }
    try channel.pipeline.syncOperations.addHandler(selector)
  }

  /// Prepares a connection to serve calls.
  static func configure(
    _ channel: any Channel, _ configuration: Configuration, _ services: CallServices, _ account: ConnectionAccount,
    requiresALPN: Bool
  ) throws {
    let state = ConnectionCalls(
      channel, configuration.limits, account, maximumCalls: configuration.maximumStreams)
    try HTTP2Connection.configure(
      channel, state, configuration.limits, account, maximumStreams: configuration.maximumStreams,
      requiresALPN: requiresALPN
    ) { HTTP2Connection.callHandler(services, $0) }
  }

  private var address: (host: String, port: Int, ServerTLS?) {
    get throws(EndpointError) {
      switch configuration.endpoint {
      case .tcp(let host, let port): return (host, port, nil)
      case .tls(let host, let port):
        guard let tls = configuration.tls else {
          throw EndpointError(configuration.endpoint, "needs a certificate; set '--tls-certificate' and '--tls-key'")
        }
        return (host, port, tls)
      case .unix: throw EndpointError(configuration.endpoint, "gRPC is served at a host and a port only")
      }
    }
  }
}
#endif
