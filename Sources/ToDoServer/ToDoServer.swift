public import Logging
public import NIOCore
public import ServiceLifecycle
public import TTRPCTransport
public import ToDoModel
import ToDoProtocol

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

  public struct Configuration: Sendable {
    /// Where to listen.
    public var endpoints: [Endpoint]
    /// What to show and to demand at the endpoints that speak TLS.
    public var tls: ServerTLS?
    /// The Unix users who may open the files of Unix sockets; others than the server's own open them to everybody, and
    /// leave it to the access control to tell who comes.
    public var unixUsers: Set<UInt32> = []
    /// How long calls in flight may go on after the shutdown began.
    public var grace: Duration = .seconds(10)

    public init(endpoints: [Endpoint]) {
      self.endpoints = endpoints
    }
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

  /// - Throws: `EndpointError` when an endpoint cannot be bound.
  public func run() async throws {
    let health = HealthMonitor(services: [ToDoMethods.service, HealthMethods.service])
    let listener = try await ServerListener.bind(
      configuration.endpoints, methods: MethodTable(serving: access, health: health), tls: configuration.tls,
      opensSockets: configuration.unixUsers.contains { $0 != Peer.ownUnixUser }, on: group, logger: logger)
    onReady(listener.endpoints)
    try? await gracefulShutdown()
    logger.info("shutting down")
    health.stopServing()
    await listener.shutDown(grace: configuration.grace)
  }
}
