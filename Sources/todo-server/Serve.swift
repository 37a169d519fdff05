import ArgumentParser
import Logging
import NIOPosix
import ServiceLifecycle
import TTRPCTransport
import ToDoGeocoders
import ToDoModel
import ToDoServer
import ToDoStores
import UnixSignals

/// `todo-server serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves a list until SIGTERM or SIGINT.",
    discussion: """
      Every option can also be given in the environment, as TODO_SERVER_LISTEN (several separated by commas), \
      TODO_SERVER_STORE, TODO_SERVER_KEEP_CHANGES and so on, and in a JSON file, as "listen" (an array), "store", \
      "keepChanges" and so on. An option wins over the environment, the environment over the file.

      Once it is ready it prints a line "listening on ENDPOINT" for each endpoint on standard output. Logs go to \
      standard error.
      """)

  @Option(
    help:
      "Where to listen: tcp://HOST:PORT or unix:///PATH; may be repeated. (default: \(ServerSettings.defaultEndpoint))")
  var listen: [String] = []

  @Option(help: "Where to keep the items: sqlite:PATH or memory:. (default: the list that todo uses without a server)")
  var store: String?

  @Option(
    help: """
      What finds addresses: gazetteer, nominatim:URL, simulated:OPTIONS or none; several, separated by commas, are \
      asked in turn. (default: gazetteer)
      """)
  var geocoder: String?

  @Option(help: "How many of the latest changes to keep at least, for watches that resume. (default: 1000)")
  var keepChanges: String?

  @Option(help: "How long to keep changes at least: 30m, 12h, 7d. (default: 7d)")
  var keepChangesFor: String?

  @Option(help: "What to log: trace, debug, info, notice, warning, error or critical. (default: info)")
  var logLevel: String?

  @Option(help: "A JSON file with settings, also TODO_SERVER_CONFIG.")
  var config: String?

  func run() async throws {
    let options = ServerSettings.Options(
      listen: listen, store: store, geocoder: geocoder, keepChanges: keepChanges, keepChangesFor: keepChangesFor,
      logLevel: logLevel,
      configFile: config)
    let settings: ServerSettings
    do { settings = try await ServerSettings(options) } catch {
      throw ValidationError("\(error)")
    }
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "todo.server")
    logger.logLevel = settings.logLevel
    raiseDescriptorLimit()
    do { try await serve(settings, logger) } catch {
      logger.critical("\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ settings: ServerSettings, _ logger: Logger) async throws {
    let location = try settings.store ?? .personal(environment: environmentVariable)
    let store = try OpenStore(location, retention: settings.retention)
    let geocoder = try OpenGeocoder(settings.geocoder, program: .server(with: location)) {
      try GazetteerGeocoder()
    }
    let feed = ChangeFeed(store.items)
    let server = ToDoServer(
      service: LocalToDoService(store: store.items, feed: feed, geocoder: geocoder.geocoder),
      configuration: .init(endpoints: settings.endpoints),
      group: MultiThreadedEventLoopGroup.singleton, logger: logger
    ) { endpoints in
      for endpoint in endpoints {
        if !endpoint.isLocal {
          logger.warning("anyone who reaches \(endpoint) can read and change the list: there is no authentication")
        }
        print("listening on \(endpoint)")
      }
      flushStandardOutput()
    }
    var services: [ServiceGroupConfiguration.ServiceConfiguration] = [.init(service: server)]
    if let geocoder = geocoder.geocoder {
      let resolver = CoordinateResolver(store: store.items, feed: feed, geocoder: geocoder)
      services.append(.init(service: ResolverService(resolver: resolver)))
    }
    let group = ServiceGroup(
      configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    let outcome = await Result { try await group.run() }
    await geocoder.shutDown()
    await store.close()
    try outcome.get()
    logger.info("stopped")
  }
}

/// Finds missing coordinates until the server shuts down.
private struct ResolverService: Service {
  let resolver: CoordinateResolver

  func run() async {
    await cancelWhenGracefulShutdown { await resolver.run() }
  }
}

extension OpenGeocoder.Program {
  /// What other servers answered is remembered beside the items, apart from what `todo` remembers there.
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

extension Endpoint {
  /// Whether only programs on this machine reach it.
  fileprivate var isLocal: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
  }
}
