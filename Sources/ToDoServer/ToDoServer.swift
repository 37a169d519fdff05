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
  private let service: any ToDoService
  private let configuration: Configuration
  private let group: any EventLoopGroup
  private let logger: Logger
  private let onReady: @Sendable ([Endpoint]) -> Void

  public struct Configuration: Sendable {
    /// Where to listen.
    public var endpoints: [Endpoint]
    /// How long calls in flight may go on after the shutdown began.
    public var grace: Duration = .seconds(10)
    /// What connections are held to.
    public var limits = ServerConfiguration()

    public init(endpoints: [Endpoint]) {
      self.endpoints = endpoints
    }
  }

  /// - Parameter onReady: called once, when all endpoints are bound, with the ports that were picked.
  public init(
    service: any ToDoService, configuration: Configuration, group: any EventLoopGroup, logger: Logger,
    onReady: @escaping @Sendable ([Endpoint]) -> Void = { _ in }
  ) {
    self.service = service
    self.configuration = configuration
    self.group = group
    self.logger = logger
    self.onReady = onReady
  }

  /// - Throws: `EndpointError` when an endpoint cannot be bound.
  public func run() async throws {
    let health = HealthMonitor(services: [ToDoMethods.service, HealthMethods.service])
    let listener = try await ServerListener.bind(
      configuration.endpoints, methods: MethodTable(serving: service, health: health),
      configuration: configuration.limits, on: group, logger: logger)
    onReady(listener.endpoints)
    try? await gracefulShutdown()
    logger.info("shutting down")
    health.stopServing()
    await listener.shutDown(grace: configuration.grace)
  }
}
