public import Logging
public import NIOCore
public import RPC
public import ServiceLifecycle
import TTRPCTransport
public import ToDoModel
import ToDoProtocol
public import Transport

/// Offers a `ToDoService` to clients on any number of endpoints.
///
/// It runs until a graceful shutdown: then it reports NOT_SERVING, accepts no more connections and calls, lets those in
/// flight finish, and closes what is left when the grace is over.
public struct ToDoServer: Service {
  private let access: any AccessControl
  private let configuration: Configuration
  private let group: any EventLoopGroup
  private let logger: Logger
  private let onReady: @Sendable ([Endpoint]) -> Void
  private let health = HealthMonitor(services: [ToDoMethods.service, HealthMethods.service])

  public struct Configuration: Sendable {
    /// Where to listen.
    public var endpoints: [Endpoint]
    /// What to show and to demand at the endpoints that speak TLS.
    public var tls: ServerTLS?
    /// The Unix users who may open the files of Unix sockets; others than the server's own open them to everybody, and
    /// leave it to the access control to tell who comes.
    public var unixUsers: Set<UInt32> = []
    /// Listeners that serve the same methods over other protocols.
    package var additionalListeners: [any RPCListener] = []
    /// How long calls in flight may go on after the shutdown began.
    public var grace: Duration = .seconds(10)
    /// About how many bytes of pages of listings are kept in memory, to be told again while their lists stay the same;
    /// 0: none.
    public var pageCacheSize = defaultPageCacheSize
    /// What connections are held to.
    public var limits = ServerLimits()

    public init(endpoints: [Endpoint]) {
      self.endpoints = endpoints
    }

    /// 16 MiB: some 1,000 pages of 100 short items.
    public static let defaultPageCacheSize = 16 << 20
  }

  /// Offers one list to whoever comes.
  ///
  /// - Parameter onReady: called once, when all endpoints are bound, with the ports that were picked.
  public init(
    service: any ToDoService, configuration: Configuration, group: any EventLoopGroup, logger: Logger,
    onReady: @escaping @Sendable ([Endpoint]) -> Void = { _ in }
  ) {
    self.init(
      access: OpenAccess(to: service), configuration: configuration, group: group, logger: logger, onReady: onReady)
  }

  /// Offers users their lists.
  ///
  /// - Parameter onReady: called once, when all endpoints are bound, with the ports that were picked.
  public init(
    access: AccountAccess, configuration: Configuration, group: any EventLoopGroup, logger: Logger,
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

  /// The steps around every call, the outermost first.
  private var interceptors: [any Interceptor] {
    let observers: [any Interceptor] = [MetricsInterceptor(), LoggingInterceptor(logger)]
    return (TracingInterceptor.ofProcess().map { [$0] } ?? []) + observers
  }

  /// Sets whether the store accepts writes, which the health of the server and of its to-do service reports.
  public func setStoreUsable(_ isUsable: Bool) { health.setStoreUsable(isUsable) }

  /// - Throws: `EndpointError` when an endpoint cannot be bound.
  public func run() async throws {
    let methods = MethodTable(
      serving: access, health: health, limits: configuration.limits, pageCacheSize: configuration.pageCacheSize,
      interceptors: interceptors)
    let limiter = ConnectionLimiter(configuration.limits)
    access.whenCredentialsAreRequired { limiter.requireCredentials() }
    let listener = try await ServerListener.bind(
      configuration.endpoints, methods: methods, configuration: configuration.limits, limiter: limiter,
      tls: configuration.tls,
      opensSockets: configuration.unixUsers.contains { $0 != Peer.ownUnixUser }, on: group, logger: logger)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for listener in configuration.additionalListeners { try await start(listener, methods, limiter, in: &group) }
        onReady(listener.endpoints)
        group.addTask { try? await gracefulShutdown() }
        // A wire that ends before the shutdown has failed.
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
