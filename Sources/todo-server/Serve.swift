import ArgumentParser
internal import CCrashReport
import Logging
import NIOCore
import NIOPosix
import ProgramSupport
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
      Until the first user is added ('todo-server user add'), the clients of a server that only this machine can reach \
      share one list without credentials. The first user ends that within a second, and removing all users does not \
      restore it. Each user has a list, and authenticates with a token, a client certificate or a Unix user. Connections \
      from other machines require TLS and credentials, unless '--allow-insecure' is given. On Unix sockets the server's \
      own user, root and the users of '--allow-unix-user' never need credentials: those that are no user of the server \
      share one list.

      On SIGHUP it reads the certificate and the key anew, for the connections to come.

      Every option can also be given in the environment, as TODO_SERVER_LISTEN (several separated by commas), \
      TODO_SERVER_STORE, TODO_SERVER_KEEP_CHANGES and so on, and in a JSON file, as "listen" (an array), "store", \
      "keepChanges" and so on. An option wins over the environment, the environment over the file. Limits are in \
      TODO_SERVER_LIMITS and "limits", each NAME=VALUE; there, one that is not named stays as it is. An unknown key in the \
      file is an error. An unknown variable TODO_SERVER_... is ignored, with a warning in the log.

      Once it is ready it prints a line "listening on ENDPOINT" for each endpoint on standard output; those of gRPC are \
      grpc+tcp://HOST:PORT or grpc+tls://HOST:PORT. Logs go to standard error.
      """)

  @Option(
    help:
      "Where to listen: tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH; may be repeated. (default: \(ServerSettings.defaultEndpoint))"
  )
  var listen: [String] = []

  @Option(help: "Where to serve gRPC too: HOST:PORT or tls://HOST:PORT; may be repeated.")
  var grpcListen: [String] = []

  @Flag(inversion: .prefixedNo, help: "Serve gRPC server reflection, to any caller. (default: --grpc-reflection)")
  var grpcReflection: Bool?

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

  @Option(help: "The server's certificate, and those it leads to, for tls://HOST:PORT: a file in PEM.")
  var tlsCertificate: String?

  @Option(help: "The key of the certificate: a file in PEM that only its owner can read.")
  var tlsKey: String?

  @Option(
    name: .customLong("tls-client-ca"),
    help: "Asks clients for a certificate, which must lead to one in this file; users are let in by its subject.")
  var tlsClientCA: String?

  @Flag(
    help: """
      Reject network clients without credentials, even while no users exist. Unix users that may use the Unix sockets \
      still need none there.
      """)
  var requireAuthentication = false

  @Flag(
    help: """
      Accept connections from other machines without TLS, and without credentials until the first user is added.
      """)
  var allowInsecure = false

  @Option(help: "A user of this machine, by name or number, who may use the Unix sockets too; may be repeated.")
  var allowUnixUser: [String] = []

  @Option(help: "How many items a list may have. (default: \(LocalToDoService.defaultItemLimit))")
  var maxItems: String?

  @Option(help: "How many MiB of items to keep in memory, and a quarter of that of pages; 0: none. (default: 64)")
  var itemCache: String?

  @Option(
    help: """
      A limit, as NAME=VALUE: connections=500, frame-size=1MiB, idle-time=10m; may be repeated. PROTOCOL.md has \
      them all, with what they are for, and a name that is none is told those that are.
      """)
  var limit: [String] = []

  @Option(help: "What to log: trace, debug, info, notice, warning, error or critical. (default: info)")
  var logLevel: String?

  @Option(help: "A JSON file with settings, also TODO_SERVER_CONFIG.")
  var config: String?

  func run() async throws {
    todo_report_crashes("todo-server \(ServiceInfo.currentVersion)")
    let options = ServerSettings.Options(
      listen: listen, grpcListen: grpcListen, grpcReflection: grpcReflection, store: store, geocoder: geocoder,
      keepChanges: keepChanges, keepChangesFor: keepChangesFor,
      logLevel: logLevel, configFile: config, tlsCertificate: tlsCertificate, tlsKey: tlsKey,
      tlsClientCA: tlsClientCA, allowInsecure: allowInsecure, requireAuthentication: requireAuthentication,
      allowUnixUser: allowUnixUser, maxItems: maxItems, itemCache: itemCache, limit: limit)
    let settings: ServerSettings
    do { settings = try await ServerSettings(options) } catch {
      throw ValidationError("\(error)")
    }
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "todo.server")
    logger.logLevel = settings.logLevel
    for name in SettingKey.unknownVariables(among: environmentVariableNames) {
      logger.warning("the environment variable \(name) is not a setting, and is ignored")
    }
    DescriptorLimit.raise()
    // An event loop for each processor of the machine would be too many for a server that may use only some: two that
    // share one wait for each other for milliseconds.
    if let count = ServerProcess.processorCount, count > 0 {
      // NIO's own count knows of the shares of time that containers are given.
      NIOSingletons.groupLoopCountSuggestion = min(count, System.coreCount)
    }
    do { try await serve(settings, logger) } catch {
      logger.critical("\(error)")
      throw ExitCode(.failure)
    }
  }

  private func serve(_ settings: ServerSettings, _ logger: Logger) async throws {
    let location = try settings.store ?? .personal(environment: environmentVariable)
    try StartupCheck(location).run(logger)
    let store = try OpenStore(location, retention: settings.retention, cacheSize: settings.cacheSize)
    let geocoder = try OpenGeocoder(settings.geocoder, program: .server(with: location)) {
      try GazetteerGeocoder()
    }
    let feed = ChangeFeed(store.items)
    let accounts = try await store.accounts.accounts()
    let admission = try AdmissionPlan(settings, hasUsers: !accounts.users.isEmpty, hadUsers: accounts.version > 0)
    let tls = try settings.tls.map(ServerTLS.init)
    let writeRate = WriteRateLimiter(settings.writeRate)
    let list = LocalToDoService(
      store: store.items, feed: feed, geocoder: geocoder.geocoder, itemLimit: settings.maximumItems,
      byteLimit: settings.maximumListSize, writeRate: writeRate)
    let access = AccountAccess(accounts: store.accounts, policy: admission.policy, logger: logger) { list.list(of: $0) }
    var configuration = ToDoServer.Configuration(endpoints: settings.endpoints)
    configuration.tls = tls
    configuration.limits = settings.limits
    configuration.pageCacheSize = settings.cacheSize / 4
    configuration.grace = settings.shutdownTime
    configuration.limits.requiresAuthentication = admission.policy.anonymousList == nil
    configuration.wires = try grpcWires(settings, configuration.limits, tls, on: .singleton, logger)
    configuration.unixUsers = admission.policy.unixUsers
    let server = ToDoServer(
      access: access, configuration: configuration, group: MultiThreadedEventLoopGroup.singleton, logger: logger
    ) { endpoints in
      for endpoint in endpoints { print("listening on \(endpoint)") }
      flushStandardOutput()
      for warning in admission.warnings { logger.warning("\(warning)") }
    }
    var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
      .init(service: server), .init(service: AccountWatch(access: access)),
      .init(service: SchemaWatch(store: store, server: server, logger: logger)),
      .init(service: DiskWatch(store: store), failureTerminationBehavior: .gracefullyShutdownGroup),
    ]
    if let tls { services.append(.init(service: CertificateReload(tls: tls, logger: logger))) }
    if let geocoder = geocoder.geocoder {
      let resolver = CoordinateResolver(
        store: store.items, geocoder: geocoder, byteLimit: settings.maximumListSize, writeRate: writeRate)
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

/// Ends the server when its store can keep nothing any more: a start anew finds what is on disk.
private struct DiskWatch: Service {
  let store: OpenStore

  func run() async throws {
    try await cancelWhenGracefulShutdown { try await store.watchDisk() }
    // It is no failure that a store in memory has no disk to watch.
    try await gracefulShutdown()
  }
}

/// Notices new users, and tokens that were revoked, until the server shuts down.
private struct AccountWatch: Service {
  let access: AccountAccess

  func run() async {
    await cancelWhenGracefulShutdown { await access.watchAccounts() }
  }
}

/// Reads the certificate anew on SIGHUP.
private struct CertificateReload: Service {
  let tls: ServerTLS
  let logger: Logger

  func run() async {
    await cancelWhenGracefulShutdown {
      for await _ in await UnixSignalsSequence(trapping: .sighup) {
        do {
          try tls.reload()
          logger.info("the certificate was read anew")
        } catch {
          logger.error("the certificate stays as it was: \(error)")
        }
      }
    }
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
