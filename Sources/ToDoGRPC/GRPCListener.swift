#if GRPC
  import GRPCCore
  import GRPCNIOTransportHTTP2Posix
  package import Logging
  package import NIOCore
  import Synchronization
  package import TTRPCTransport

  /// Serves a server's methods over gRPC at one endpoint, with the schema's reflection beside them.
  package final class GRPCListener: ServerWire {
    package struct Configuration: Sendable {
      /// Where to listen: a host and a port, with TLS or without.
      package var endpoint: TTRPCTransport.Endpoint
      /// What connections are held to. A message may be as long as a frame; of the limits of memory, gRPC has its own.
      package var limits = ServerConfiguration()
      /// How many calls one connection may have in flight. Each may hold back a message until it has all of it.
      package var maximumStreams = 128
      /// What to show and to demand at an endpoint that speaks TLS.
      package var tls: ServerTLS?

      package init(endpoint: TTRPCTransport.Endpoint) {
        self.endpoint = endpoint
      }
    }

    private typealias Transport = HTTP2ServerTransport.Custom<ListenerFactory>

    private let configuration: Configuration
    private let group: any EventLoopGroup
    private let logger: Logger
    private let onBound: @Sendable (TTRPCTransport.Endpoint) -> Void
    private let connections: ConnectionSet
    private let drain = Drain()
    private let end = AsyncStream<Never>.makeStream()
    private let server = Mutex<GRPCServer<Transport>?>(nil)

    /// - Parameter onBound: called once, with the port that was picked.
    package init(
      _ configuration: Configuration, on group: any EventLoopGroup, logger: Logger,
      onBound: @escaping @Sendable (TTRPCTransport.Endpoint) -> Void = { _ in }
    ) {
      self.configuration = configuration
      connections = ConnectionSet(strikeLimit: configuration.limits.maximumStrikes)
      self.group = group
      self.logger = logger
      self.onBound = onBound
    }

    package func serve(
      _ methods: MethodTable, admission: ConnectionAdmission, onReady: @escaping @Sendable () -> Void
    ) async throws {
      let factory = ListenerFactory(
        configuration: configuration, eventLoopGroup: group, admission: admission, connections: connections,
        logger: logger
      ) {
        self.onBound($0)
        onReady()
      }
      let runner = CallRunner(connections: connections, limits: configuration.limits, drain: drain, logger: logger)
      let service = MethodService(
        methods: methods, runner: runner, maximumLength: configuration.limits.maximumAnswerLength)
      let reflection = ReflectionService(
        index: .schema, services: service.services.union(ReflectionService.services), runner: runner,
        maximumLength: configuration.limits.maximumAnswerLength)
      let server = GRPCServer(
        transport: Transport(listenerFactory: factory, config: transportConfiguration), services: [service, reflection])
      self.server.withLock { $0 = server }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          do { try await server.serve() } catch let error as RuntimeError {
            throw error.cause ?? error
          }
        }
        group.addTask { [end] in for await _ in end.stream {} }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    package func shutDown(grace: Duration) async {
      // First, so that what the transport cancels is known to be no cancellation by the client.
      drain.begin()
      server.withLock(\.self)?.beginGracefulShutdown()
      await connections.drain(grace: grace)
      // Cancels what still runs for connections that are closed.
      end.continuation.finish()
    }

    private var transportConfiguration: Transport.Config {
      var transport = Transport.Config.defaults
      let limit = configuration.limits.maximumFrameLength
      transport.http2.maxConcurrentStreams = min(configuration.maximumStreams, configuration.limits.maximumStreams)
      transport.connection.maxIdleTime = configuration.limits.idleTime
      // Who takes nothing answers no ping either.
      transport.connection.keepalive.time = configuration.limits.writeStallTime
      // More is refused before it comes so far.
      transport.rpc.maxRequestPayloadSize = limit
      transport.channelDebuggingCallbacks.onAcceptHTTP2Stream = { stream in
        stream.eventLoop.makeCompletedFuture {
          let handlers: [any ChannelHandler] =
            [MessageLimitHandler(limit: limit)] + (stream.parent.map { [ConnectionStamp(.init($0))] } ?? [])
          try stream.pipeline.syncOperations.addHandlers(handlers, position: .first)
        }
      }
      return transport
    }
  }
#endif
