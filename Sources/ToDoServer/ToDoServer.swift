public import Logging
public import NIOCore
public import NIOPosix
public import ToDoModel
import ToDoProtocol
public import ToDoRPC
import ToDoTTRPCTransport
public import ToDoTransport

/// A server that provides a `ToDoService` to clients on any number of endpoints.
///
/// When it shuts down, it reports NOT_SERVING and accepts no more connections and calls. Calls in flight may finish within the
/// grace period, after which the server closes all connections.
public struct ToDoServer: Sendable {
  private let access: any AccessControl
  private let configuration: Configuration
  private let group: any EventLoopGroup
  private let logger: Logger
  private let onReady: @Sendable ([Endpoint]) -> Void
  private let health = HealthMonitor(services: [ToDoMethods.service, HealthMethods.service])

  /// The endpoints, limits and TLS settings of a server.
  public struct Configuration: Sendable {
    /// The endpoints to listen on.
    public var endpoints: [Endpoint]
    /// The TLS settings of the endpoints that use TLS.
    public var tls: ServerTLS?
    /// The Unix users that may open the Unix socket files. If the set contains any user other than the server's own, the
    /// files are open to every local user. Access control then identifies the connecting user.
    public var unixUsers: Set<UInt32> = []
    /// The sockets that a service manager has opened for the endpoints.
    public var inheritedSockets = InheritedSockets.none
    /// Listeners that serve the same methods over other protocols.
    package var additionalListeners: [any RPCListener] = []
    /// The duration for which calls in flight may continue after the shutdown starts.
    public var grace: Duration = .seconds(10)
    /// The approximate size of the encoded-page cache, in bytes. A cached page is valid while its list does not change.
    /// 0 disables the cache.
    public var pageCacheSize = defaultPageCacheSize
    /// The backends that receive metrics and spans. `nil` for those that the process has bootstrapped when the server
    /// starts.
    package var observability: Observability?
    /// The limits of connections and calls.
    public var limits = ServerLimits()

    /// Creates a configuration with the default limits.
    public init(endpoints: [Endpoint]) {
      self.endpoints = endpoints
    }

    /// The default size of the page cache: 16 MiB, about 1,000 pages of 100 short items.
    public static let defaultPageCacheSize = 16 << 20
  }

  /// Creates a server that provides one list to every client.
  ///
  /// - Parameters:
  ///   - group: the event loops that the connections run on.
  ///   - logger: receives messages about connections and calls.
  ///   - onReady: called once when all endpoints are bound, with the assigned ports.
  public init(
    service: any ToDoService, configuration: Configuration,
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger = Logger(label: "todo.server"),
    onReady: @escaping @Sendable ([Endpoint]) -> Void = { _ in }
  ) {
    self.init(
      access: OpenAccess(to: service), configuration: configuration, group: group, logger: logger, onReady: onReady)
  }

  /// Creates a server that provides each user's list to that user.
  ///
  /// - Parameters:
  ///   - group: the event loops that the connections run on.
  ///   - logger: receives messages about connections and calls.
  ///   - onReady: called once when all endpoints are bound, with the assigned ports.
  public init(
    access: AccountAccess, configuration: Configuration,
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger = Logger(label: "todo.server"),
    onReady: @escaping @Sendable ([Endpoint]) -> Void = { _ in }
  ) {
    self.init(
      access: access as any AccessControl, configuration: configuration, group: group, logger: logger,
      onReady: onReady)
  }

  private init(
    access: any AccessControl, configuration: Configuration, group: any EventLoopGroup, logger: Logger,
    onReady: @escaping @Sendable ([Endpoint]) -> Void
  ) {
    self.access = access
    self.configuration = configuration
    self.group = group
    self.logger = logger
    self.onReady = onReady
  }

  /// Sets whether the store accepts writes, which the health of the server and its to-do service reports.
  public func setStoreUsable(_ isUsable: Bool) { health.setStoreUsable(isUsable) }

  /// Serves calls until the task is canceled.
  ///
  /// - Throws: `EndpointError` if an endpoint cannot be bound.
  public func run() async throws {
    try await run { for await _ in AsyncStream<Never>.makeStream().stream {} }
  }

  /// Serves calls until the server is told to shut down.
  ///
  /// - Parameter shutdown: returns when the server must shut down, and when its task is canceled. `gracefulShutdown()` of
  ///   swift-service-lifecycle is one.
  /// - Throws: `EndpointError` if an endpoint cannot be bound.
  public func run(until shutdown: @escaping @Sendable () async -> Void) async throws {
    let observability = configuration.observability ?? .ofProcess()
    let methods = MethodTable(
      serving: access, health: health, limits: configuration.limits, pageCacheSize: configuration.pageCacheSize,
      observability: observability, interceptors: observability.interceptors + [LoggingInterceptor(logger)])
    let limiter = ConnectionLimiter(
      configuration.limits, metrics: observability.metrics.map(ConnectionMetrics.init(factory:)))
    access.whenCredentialsAreRequired { limiter.requireCredentials() }
    let listener = try await ServerListener.bind(
      configuration.endpoints, methods: methods, configuration: configuration.limits, limiter: limiter,
      tls: configuration.tls,
      opensSockets: configuration.unixUsers.contains { $0 != Peer.ownUnixUser },
      inherited: configuration.inheritedSockets, on: group, logger: logger)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for listener in configuration.additionalListeners { try await start(listener, methods, limiter, in: &group) }
        onReady(listener.endpoints)
        group.addTask { await shutdown() }
        // A listener that ends before the shutdown has failed.
        try await group.next()
        logger.info("shutting down")
        health.stopServing()
        await shutDown(listener)
        try await group.waitForAll()
      }
    } catch {
      await listener.shutDown(grace: .zero)
      throw error
    }
  }

  /// Starts a listener in a task of the group, and returns when it accepts calls.
  private func start(
    _ listener: any RPCListener, _ methods: MethodTable, _ limiter: ConnectionLimiter,
    in group: inout ThrowingTaskGroup<Void, any Error>
  ) async throws {
    let (ready, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingOldest(1))
    group.addTask {
      defer { continuation.finish() }
      try await listener.serve(methods, limiter: limiter) { continuation.yield() }
    }
    if await ready.first(where: { true }) == nil { try await group.next() }
  }

  private func shutDown(_ listener: ServerListener) async {
    let grace = configuration.grace
    await withDiscardingTaskGroup { group in
      group.addTask { await listener.shutDown(grace: grace) }
      for listener in configuration.additionalListeners { group.addTask { await listener.shutDown(grace: grace) } }
    }
  }
}
