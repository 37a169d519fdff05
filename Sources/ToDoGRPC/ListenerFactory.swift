#if GRPC
  import GRPCNIOTransportHTTP2Posix
  import Logging
  import NIOCore
  import NIOPosix
  import TTRPCTransport

  /// Binds the socket of a `GRPCListener`, and prepares the connections that it accepts.
  struct ListenerFactory: HTTP2ServerTransport.ListenerFactory {
    let configuration: GRPCListener.Configuration
    let eventLoopGroup: any EventLoopGroup
    let admission: ConnectionAdmission
    let connections: ConnectionSet
    let logger: Logger
    let onBound: @Sendable (TTRPCTransport.Endpoint) -> Void

    /// - Throws: `EndpointError`.
    func makeListeningChannel(
      listenerConfigurator: HTTP2ServerTransport.ListenerConfigurator,
      connectionConfigurator: HTTP2ServerTransport.ConnectionConfigurator
    ) async throws -> NIOAsyncChannel<HTTP2ServerTransport.ConnectionConfigurator.ConnectionChannel, Never> {
      let (host, port, tls) = try address
      let bootstrap = ServerBootstrap(group: eventLoopGroup)
        .serverChannelOption(.backlog, value: 1024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelOption(.socketOption(.so_keepalive), value: 1)
        .serverChannelInitializer { [admission, logger] channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(admission.makeGate(logger))
          }
          .flatMap { listenerConfigurator.configure(channel: channel) }
        }
      do {
        let listening = try await bootstrap.bind(host: host, port: port) {
          [admission, connections, limits = configuration.limits] channel in
          channel.eventLoop.makeCompletedFuture {
            try tls?.secure(channel, speaking: .http2)
            try connections.insert(
              channel, admission.account(of: channel), firstBytesWithin: limits.firstFrameTime)
          }
          .flatMap {
            connectionConfigurator.configure(
              channel: channel, tls: tls == nil ? .none : .configured(requireALPN: true))
          }
        }
        let bound = listening.channel.localAddress?.port ?? port
        onBound(tls == nil ? .tcp(host: host, port: bound) : .tls(host: host, port: bound))
        return listening
      } catch {
        throw EndpointError(configuration.endpoint, "cannot listen", error)
      }
    }

    private var address: (host: String, port: Int, ServerTLS?) {
      get throws(EndpointError) {
        switch configuration.endpoint {
        case .tcp(let host, let port): return (host, port, nil)
        case .tls(let host, let port):
          guard let tls = configuration.tls else {
            throw EndpointError(configuration.endpoint, "there is no certificate to listen with")
          }
          return (host, port, tls)
        case .unix: throw EndpointError(configuration.endpoint, "gRPC is served at a host and a port only")
        }
      }
    }
  }
#endif
