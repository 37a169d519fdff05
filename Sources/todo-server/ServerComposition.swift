import Logging
import NIOPosix
import ServiceLifecycle
import ToDoGeocoders
import ToDoModel
import ToDoNotifications
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoTransport
import UnixSignals

/// The composition root of `todo-server serve`: creates the store, the geocoder, the access control and the listeners that
/// the settings specify, and runs them.
struct ServerComposition {
  let settings: ServerSettings
  let logger: Logger
  private let metrics: MetricsExport?
  /// The backends that receive metrics and spans.
  private let observability: Observability

  /// Creates a composition with the backends of the process.
  init(settings: ServerSettings, logger: Logger) {
    self.settings = settings
    self.logger = logger
    metrics = MetricsExport(settings)
    observability = .ofProcess(and: metrics)
  }

  /// Serves until SIGTERM or SIGINT.
  ///
  /// - Throws: the error with which a part of the server fails to start or ends.
  func run() async throws {
    // Before the certificate is read, so that no later change of it is missed.
    let hangups = await UnixSignalsSequence(trapping: .sighup)
    let location = try settings.store ?? .personal(environment: environmentVariable)
    try StartupCheck(location).run(logger)
    let store = try OpenStore(
      location, replicaURI: settings.replicaURI, retention: settings.retention, cacheSize: settings.cacheSize,
      observability: observability)
    let geocoder = try OpenGeocoder(
      settings.geocoder, program: .server(with: location), cacheObserver: observability.geocoderCacheObserver,
      reportCacheFailure: { [logger] in logger.warning("\($0)") },
      decorate: observability.observing(_:named:)
    ) {
      try GazetteerGeocoder()
    }
    let services = try await services(store, geocoder.geocoder, hangups)
    let group = ServiceGroup(
      configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    let outcome = await Result { try await group.run() }
    await geocoder.shutDown()
    await store.close()
    try outcome.get()
    logger.info("stopped")
  }

  private func services(
    _ store: OpenStore, _ geocoder: (any Geocoder)?, _ hangups: UnixSignalsSequence
  ) async throws -> [ServiceGroupConfiguration.ServiceConfiguration] {
    let accounts = try await store.accounts.accounts()
    let access = try AccessConfiguration(
      settings, hasUsers: !accounts.users.isEmpty, hadUsers: accounts.version > 0)
    let tls = try settings.tls.map(ServerTLS.init)
    let writeRate = WriteRateLimiter(settings.writeRate, exempting: accounts.version > 0 ? nil : .local)
    let directory = ListDirectory(store.accounts)
    let list = list(store, directory, geocoder, writeRate)
    let book = ReminderBook(store.accounts)
    let reminders = try reminderService(store, directory, book, list, writeRate)
    let positions = PositionBook(directory, accounts: store.accounts, writeRate: writeRate) {
      [places = reminders?.places] user, item, event, time in
      places?.send(item, event, at: time, to: user)
    } list: {
      list.list(of: $0, countingFor: $1)
    }
    let control = accessControl(access.policy, store, directory, list, writeRate, reminders?.users, positions, book)
    let server = try server(access, control, tls)
    var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
      .init(service: CallService(server: server)), .init(service: AccountMonitor(access: control)),
      .init(service: ListMonitor(directory: directory, logger: logger)),
      .init(service: SchemaMonitor(store: store, server: server, logger: logger)),
      .init(service: StoreFailureMonitor(store: store), failureTerminationBehavior: .gracefullyShutdownGroup),
      .init(service: HangupHandler(hangups: hangups, tls: tls, logger: logger)),
    ]
    if let geocoder {
      let resolver = CoordinateResolver(
        store: store.items, lists: directory, geocoder: geocoder, byteLimit: settings.maximumListSize,
        writeRate: writeRate)
      services.append(.init(service: CoordinateResolverService(resolver: resolver)))
    }
    if let reminders { services.append(.init(service: reminders)) }
    return services
  }

  /// Returns the list of anyone, from which those of all users are made.
  private func list(
    _ store: OpenStore, _ directory: ListDirectory, _ geocoder: (any Geocoder)?, _ writeRate: WriteRateLimiter
  ) -> LocalToDoService {
    LocalToDoService(
      store: store.items, feed: ChangeFeed(store.items), geocoder: geocoder, itemLimit: settings.maximumItems,
      byteLimit: settings.maximumListSize, deletedItemAge: settings.deletedItemAge, writeRate: writeRate
    ).among(directory)
  }

  /// Returns the service that sends reminders, or `nil` if the settings do not enable it.
  private func reminderService(
    _ store: OpenStore, _ directory: ListDirectory, _ book: ReminderBook, _ list: LocalToDoService,
    _ writeRate: WriteRateLimiter
  ) throws -> ReminderDelivery? {
    #if Nominatim
    guard let web = HTTPNotificationSender(settings) else { return nil }
    let email = try settings.email.map { try EmailNotificationSender($0) }
    let source = ReminderRunner.Source(accounts: store.accounts, directory: directory, reminders: book) {
      list.list(of: $0, countingFor: $1)
    }
    return ReminderDelivery(source, web, email, writeRate, observability, logger)
    #else
    // The settings have been rejected if they enable it.
    return nil
    #endif
  }

  private func accessControl(
    _ policy: AccessPolicy, _ store: OpenStore, _ directory: ListDirectory, _ list: LocalToDoService,
    _ writeRate: WriteRateLimiter, _ notifications: UserNotifications?, _ positions: PositionBook,
    _ reminders: ReminderBook
  ) -> AccountAccess {
    let userLists = UserLists(
      directory, list: list, listLimit: settings.maximumLists, sharedAmong: store.accounts
    ) { [observability] list in
      observability.observing(list)
    }
    return AccountAccess(
      accounts: store.accounts, policy: policy, logger: logger, onUsers: { writeRate.endExemption() },
      userLists: userLists, notifications: notifications, positions: positions,
      reminders: reminders,
      feeds: settings.httpOrigin.map { UserFeeds(store.accounts, at: $0, writeRate: writeRate) },
      signInLinks: settings.servesPage
        ? settings.httpOrigin.map { SignInLinks(store.accounts, at: $0, writeRate: writeRate) } : nil
    ) {
      [observability] owner in observability.observing(list.list(of: owner))
    }
  }

  private func server(
    _ access: AccessConfiguration, _ control: AccountAccess, _ tls: ServerTLS?
  ) throws -> ToDoServer {
    var configuration = ToDoServer.Configuration(endpoints: settings.endpoints)
    configuration.tls = tls
    configuration.observability = observability
    configuration.limits = settings.limits
    configuration.pageCacheSize = settings.cacheSize / 4
    configuration.grace = settings.shutdownTime
    let sockets = try InheritedSockets(environmentVariable)
    try sockets.check(settings.allEndpoints)
    configuration.inheritedSockets = sockets
    configuration.unixUsers = access.policy.unixUsers
    configuration.additionalListeners =
      try grpcListeners(settings, configuration.limits, tls, sockets, on: .singleton, logger)
      + httpListeners(
        settings, configuration.limits, tls, sockets, PhoneReports(control), CallerIdentity(control),
        FeedReader(control),
        SignInExchange(control),
        opensSockets: configuration.unixUsers.contains { $0 != Peer.ownUnixUser }, on: .singleton, logger)
    if let metrics {
      configuration.additionalListeners.append(metrics.listener(tls, sockets, on: .singleton, logger))
    }
    return ToDoServer(
      access: control, configuration: configuration, group: MultiThreadedEventLoopGroup.singleton, logger: logger
    ) { endpoints in
      // Most of the code that has run until now does not run again.
      ThisProcess.releaseUnusedMemory()
      for endpoint in endpoints { print("listening on \(endpoint)") }
      flushStandardOutput()
      for warning in access.warnings { logger.warning("\(warning)") }
    }
  }
}

extension OpenGeocoder.Program {
  /// Identifies the server to geocoding services, and caches their results next to the database, separate from those of
  /// `todo`.
  fileprivate static func server(with store: StoreLocation) -> OpenGeocoder.Program {
    var program = OpenGeocoder.Program(product: "todo-server/\(ServiceInfo.currentVersion)")
    if case .sqlite(let path) = store { program.cachePath = path + ".server.places" }
    return program
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
