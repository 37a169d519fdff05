import ArgumentParser
internal import CToDoCrashReport
import Logging
import NIOCore
import NIOPosix
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoSupport

/// `todo-server serve`
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve to-do lists until SIGTERM or SIGINT.",
    discussion: """
      Access: while no users exist, the clients of a server that is reachable only from this machine share one list \
      without credentials. Adding the first user ('todo-server user add') ends this within a second. Removing all users \
      does not restore it. Each user has a list, and authenticates with a token, a client certificate or a Unix user. \
      Connections from other machines require TLS and credentials, unless '--allow-insecure' is given. On Unix sockets, \
      the server's own user, root and the users of '--allow-unix-user' never need credentials. Those among them that do \
      not belong to a user of the server share one list.

      Certificates: on SIGHUP, the server reloads the certificate and the key for new connections. Without TLS, it ignores \
      SIGHUP.

      Sockets: an endpoint whose socket a service manager passes (LISTEN_FDS) uses that socket. Its permissions are \
      those of the service manager.

      Settings: every option can also be set in the environment, as TODO_SERVER_LISTEN (comma-separated), \
      TODO_SERVER_STORE, TODO_SERVER_KEEP_CHANGES and so on, and in a JSON file, as "listen" (an array), "store", \
      "keepChanges" and so on. Options override the environment, which overrides the file. TODO_SERVER_LIMITS and "limits" \
      contain limits as NAME=VALUE, and each limit is overridden separately. An unknown key in the file is an error. An \
      unknown variable TODO_SERVER_... is ignored, with a warning in the log.

      Output: when the server is ready, it prints a line "listening on ENDPOINT" for each endpoint to standard output. \
      gRPC endpoints have the form grpc+tcp://HOST:PORT or grpc+tls://HOST:PORT, HTTP endpoints http+tcp://HOST:PORT and so \
      on, metrics metrics+tcp://HOST:PORT. The log is written to standard error.
      """)

  @Option(
    help: ArgumentHelp(
      "An endpoint to listen on: tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH. Repeatable. (default: \(ServerSettings.defaultEndpoint))",
      valueName: "endpoint"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "An endpoint for gRPC: HOST:PORT or tls://HOST:PORT. Repeatable. (default: none)", valueName: "endpoint"))
  var grpcListen: [String] = []

  @Flag(
    inversion: .prefixedNo,
    help: "Serve gRPC server reflection to every caller, without credentials. (default: --grpc-reflection)")
  var grpcReflection: Bool?

  @Option(
    help: ArgumentHelp(
      "An endpoint for HTTP: HOST:PORT, tls://HOST:PORT or unix:///PATH. Repeatable. (default: none)",
      valueName: "endpoint"))
  var httpListen: [String] = []

  @Option(
    help: ArgumentHelp(
      "An origin whose web pages may call the server over HTTP, such as https://HOST. Repeatable. (default: none)",
      valueName: "origin"))
  var httpOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      "The address at which users reach the HTTP endpoints, such as https://HOST. (default: that of the first endpoint)",
      valueName: "url"))
  var httpURL: String?

  @Flag(inversion: .prefixedNo, help: "Show a page in browsers at the HTTP endpoints. (default: --http-page)")
  var httpPage: Bool?

  @Option(
    help: ArgumentHelp(
      """
      An endpoint at which Prometheus reads metrics (/metrics), without credentials: PORT on 127.0.0.1, HOST:PORT or \
      tls://HOST:PORT. (default: none)
      """, valueName: "endpoint"))
  var metricsListen: String?

  @Option(
    help: ArgumentHelp(
      """
      A proxy that may say on whose behalf it connects, by the PROXY protocol (version 2), x-forwarded-for or both: ADDRESS, \
      ADDRESS/BITS, or unix for whoever may open the Unix sockets. Repeatable. (default: none)
      """, valueName: "address"))
  var trustedProxy: [String] = []

  @Option(help: "The store: \(StoreLocation.forms). (default: the list that todo uses without a server)")
  var store: String?

  @Option(
    help: ArgumentHelp(
      """
      Replicas of the PostgreSQL database, as postgresql://HOST/DATABASE, which serve listings and searches. \
      (default: none)
      """, valueName: "store"))
  var storeRead: String?

  @Option(
    help: ArgumentHelp(
      """
      Geocoders, tried in order: a comma-separated list of gazetteer, nominatim:URL and simulated:OPTIONS, or none. \
      (default: gazetteer)
      """, valueName: "geocoders"))
  var geocoder: String?

  @Option(
    help: ArgumentHelp(
      "The minimum number of changes to retain, from which watches can resume. (default: 1000)", valueName: "number"))
  var keepChanges: String?

  @Option(
    help: ArgumentHelp("The minimum time to retain changes, such as 30m, 12h or 7d. (default: 7d)", valueName: "time"))
  var keepChangesFor: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file with the server's certificate and its intermediate certificates, for tls://HOST:PORT.",
      valueName: "file"))
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("A PEM file with the key of the certificate, readable only by its owner.", valueName: "file"))
  var tlsKey: String?

  @Option(
    name: .customLong("tls-client-ca"),
    help: ArgumentHelp(
      """
      A PEM file of CA certificates. With it, the server requests and verifies client certificates, whose subject \
      identifies the user. (default: none)
      """, valueName: "file"))
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

  @Option(
    help: ArgumentHelp(
      "A user of this machine, by name or number, that may also use the Unix sockets. Repeatable. (default: none)",
      valueName: "user"))
  var allowUnixUser: [String] = []

  @Option(
    help: ArgumentHelp(
      "The maximum number of items per list. (default: \(LocalToDoService.defaultItemLimit))", valueName: "number"))
  var maxItems: String?

  @Option(
    help: ArgumentHelp(
      "The size of the item cache in MiB; the page cache gets a quarter of it; 0 disables both. (default: 64)",
      valueName: "size"))
  var itemCache: String?

  @Flag(
    help: """
      Send the reminders of users to their ntfy topics and webhooks ('todo notify'), at public addresses, and the ports 80, 443 \
      and 1024 or higher.
      """)
  var notify = false

  @Flag(help: "With '--notify', also send to addresses that are not public, and to any port.")
  var notifyPrivate = false

  @Option(
    help: ArgumentHelp(
      """
      With '--notify', also send reminders by email, by this mail server: smtp://HOST[:587], with STARTTLS unless it is on this \
      machine, or smtps://HOST[:465]. (default: none)
      """, valueName: "url"))
  var smtp: String?

  @Option(help: ArgumentHelp("The sender of the emails, such as todo@example.org.", valueName: "address"))
  var smtpFrom: String?

  @Option(help: ArgumentHelp("The name for the mail server. (default: none)", valueName: "name"))
  var smtpUser: String?

  @Option(
    help: ArgumentHelp("A file with the password for the mail server, that only you can read.", valueName: "file"),
    completion: .file())
  var smtpPasswordFile: String?

  @Option(
    help: ArgumentHelp(
      """
      A limit as NAME=VALUE, such as connections=500, frame-size=1MiB or idle-time=10m. Repeatable. \
      API.md and TTRPC.md in Protos describe every limit and its default. An unknown name prints the list of valid names.
      """, valueName: "name=value"))
  var limit: [String] = []

  @Option(
    help: ArgumentHelp(
      "The log level: trace, debug, info, notice, warning, error or critical. (default: info)", valueName: "level"))
  var logLevel: String?

  @Option(help: ArgumentHelp("A JSON file with settings. (default: $TODO_SERVER_CONFIG)", valueName: "file"))
  var config: String?

  func run() async throws {
    ThisProcess.ignoreHangup()
    todo_report_crashes("todo-server \(ServiceInfo.currentVersion)")
    let settings: ServerSettings
    do { settings = try await ServerSettings(options) } catch {
      throw ExitCode(reporting: error)
    }
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "todo.server")
    logger.logLevel = settings.logLevel
    for name in SettingKey.unknownVariables(among: environmentVariableNames) {
      logger.warning("the environment variable \(name) is not a setting and is ignored; check its spelling or unset it")
    }
    DescriptorLimit.raise()
    Self.limitEventLoops()
    do { try await ServerComposition(settings: settings, logger: logger).run() } catch {
      logger.critical("\(error)")
      throw ExitCode(.failure)
    }
  }

  private var options: ServerSettings.Options {
    ServerSettings.Options(
      listen: listen, grpcListen: grpcListen, grpcReflection: grpcReflection, httpListen: httpListen,
      httpOrigin: httpOrigin, httpURL: httpURL, httpPage: httpPage, metricsListen: metricsListen,
      trustedProxy: trustedProxy,
      store: store, storeRead: storeRead,
      geocoder: geocoder,
      keepChanges: keepChanges, keepChangesFor: keepChangesFor, logLevel: logLevel, configFile: config,
      tlsCertificate: tlsCertificate, tlsKey: tlsKey, tlsClientCA: tlsClientCA, allowInsecure: allowInsecure,
      requireAuthentication: requireAuthentication,
      allowUnixUser: allowUnixUser, maxItems: maxItems, itemCache: itemCache,
      notify: notify, notifyPrivate: notifyPrivate, smtp: smtp, smtpFrom: smtpFrom, smtpUser: smtpUser,
      smtpPasswordFile: smtpPasswordFile, limit: limit)
  }

  /// Creates at most one event loop per processor that the process may use. Event loops that share a processor delay each
  /// other by milliseconds.
  private static func limitEventLoops() {
    guard let count = ThisProcess.processorCount, count > 0 else { return }
    // NIO's own count includes the CPU quota of containers.
    NIOSingletons.groupLoopCountSuggestion = min(count, System.coreCount)
  }
}
