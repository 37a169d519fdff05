import Configuration
import Logging
import ToDoGeocoders
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTransport

/// The settings of `todo-server serve`. Command-line options override the environment, which overrides the file.
struct ServerSettings {
  var endpoints = [Self.defaultEndpoint]
  var grpcEndpoints: [Endpoint] = []
  /// Whether gRPC server reflection is available.
  var servesGRPCReflection = true
  var httpEndpoints: [Endpoint] = []
  /// The origins of web pages that may call the server over HTTP.
  var httpOrigins: Set<String> = []
  /// The origin at which users reach the HTTP endpoints, or `nil` to derive it from them.
  var httpURL: String?
  /// Whether the HTTP endpoints show a page in browsers.
  var servesPage = true
  /// The endpoint at which Prometheus reads metrics, or `nil` if the server exports none.
  var metricsEndpoint: Endpoint?
  /// The location of the store, or `nil` for the list that `todo` uses without a server.
  var store: StoreLocation?
  /// The connection URI of a PostgreSQL store's replicas, or `nil` to read from the store only.
  var replicaURI: String?
  var geocoder = GeocoderSelection([.gazetteer])
  /// The retention of changes, from which watches resume.
  var retention = ChangeRetention()
  var logLevel = Logger.Level.info
  /// The certificate, key and client CA of `tls://` endpoints, or `nil` if there is no such endpoint.
  var tls: ServerTLS.Files?
  /// Whether to serve other machines without TLS and without credentials.
  var allowsInsecure = false
  /// Whether network clients need credentials even while no users exist.
  var requiresAuthentication = false
  /// The Unix users that may use Unix sockets, in addition to the server's own user.
  var unixUsers: Set<UInt32> = []
  /// The maximum number of items per list.
  var maximumItems = LocalToDoService.defaultItemLimit
  /// The time for which a deleted item can be restored.
  var deletedItemAge = LocalToDoService.defaultDeletedItemAge
  /// The maximum number of a user's lists besides the default one, deleted ones included.
  var maximumLists = UserList.Limits.lists
  /// The maximum size of a list's items, changes and deleted items in bytes.
  var maximumListSize = LocalToDoService.defaultByteLimit
  /// The maximum rate of writes per list.
  var writeRate = WriteRateLimiter.Limits()
  /// The approximate size of the item cache in bytes.
  var cacheSize = SQLiteToDoItemStore.defaultCacheSize
  /// Whether users can have their reminders sent to ntfy servers and webhooks.
  var sendsNotifications = false
  /// Whether reminders may be sent to addresses that are not public, and to any port.
  var permitsPrivateNotifications = false
  /// The mail server that takes emails to users, or `nil` if the server sends none.
  var email: EmailSettings?
  /// The limits of connections.
  var limits = ServerLimits()
  /// The time for which calls in flight may continue when the server shuts down.
  var shutdownTime: Duration = .seconds(10)

  /// The command-line options. Options that are not given are empty or `nil`.
  struct Options {
    var listen: [String] = []
    var grpcListen: [String] = []
    var grpcReflection: Bool?
    var httpListen: [String] = []
    var httpOrigin: [String] = []
    var httpURL: String?
    var httpPage: Bool?
    var metricsListen: String?
    var trustedProxy: [String] = []
    var store: String?
    var storeRead: String?
    var geocoder: String?
    var keepChanges: String?
    var keepChangesFor: String?
    var logLevel: String?
    var configFile: String?
    var tlsCertificate: String?
    var tlsKey: String?
    var tlsClientCA: String?
    var allowInsecure = false
    var requireAuthentication = false
    var allowUnixUser: [String] = []
    var maxItems: String?
    var itemCache: String?
    var notify = false
    var notifyPrivate = false
    var smtp: String?
    var smtpFrom: String?
    var smtpUser: String?
    var smtpPasswordFile: String?
    var limit: [String] = []
  }

  /// An endpoint that only processes on this machine can reach.
  static let defaultEndpoint = Endpoint.tcp(host: "127.0.0.1", port: Endpoint.defaultPort)

  /// Reads the settings.
  ///
  /// - Throws: `SettingError` for the first invalid setting, or if the file cannot be read.
  init(
    _ options: Options, environment: some ConfigProvider = EnvironmentVariablesProvider(arraySeparator: ",")
  ) async throws {
    let providers = try Self.providers(options, environment.prefixKeys(with: ["todo", "server"]))
    let reader = ConfigReader(providers: providers)
    try await readListeners(options, reader)
    try await readHTTP(options, reader)
    try await readMetrics(options, reader)
    limits.trustedProxies = try await TrustedProxies(options, reader)
    try await readStore(options, reader)
    try await readGeocoder(options, reader)
    retention = try await ChangeRetention(options, reader)
    try await readAccess(options, reader)
    try await readSizes(options, reader)
    try await readNotifications(options, reader)
    try await readLogLevel(options, reader)
    // The sources are merged limit by limit, unlike other settings, because there are many limits.
    var limitTexts: [String] = []
    for provider in providers.reversed() {
      limitTexts += try await ConfigReader(provider: provider).texts([], .limits) ?? []
    }
    try LimitSetting.apply(limitTexts + options.limit, to: &self)
  }

  /// Returns the environment and the configuration file, in the order of their precedence.
  private static func providers(
    _ options: Options, _ environment: some ConfigProvider
  ) throws -> [any ConfigProvider] {
    guard let path = options.configFile ?? ConfigReader(provider: environment).string(forKey: "config") else {
      return [environment]
    }
    return [environment, try SettingsFile(path: path).provider]
  }
}

extension ServerSettings {
  /// The endpoints of each setting.
  var listeners: [(setting: String, endpoints: [Endpoint])] {
    [
      ("listen", endpoints), ("grpc-listen", grpcEndpoints), ("http-listen", httpEndpoints),
      ("metrics-listen", metricsEndpoint.map { [$0] } ?? []),
    ]
  }

  /// The endpoints of all protocols.
  var allEndpoints: [Endpoint] { listeners.flatMap(\.endpoints) }

  mutating func readListeners(_ options: Options, _ reader: ConfigReader) async throws {
    if let listen = try await reader.texts(options.listen, .listen) {
      endpoints = try listen.map { text in
        guard let endpoint = Endpoint(text) else {
          throw SettingError(
            name: "listen", value: text,
            reason: "is not a valid endpoint; use tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH")
        }
        return endpoint
      }
    }
    guard !endpoints.isEmpty else {
      throw SettingError(name: "listen", value: "", reason: "is empty; specify at least one endpoint")
    }
    let grpcListen = try await reader.texts(options.grpcListen, .grpcListen)
    grpcEndpoints = try (grpcListen ?? []).map { text in
      guard let endpoint = Endpoint(hostAndPort: text) else {
        throw SettingError(
          name: "grpc-listen", value: text, reason: "is not a valid endpoint; use HOST:PORT or tls://HOST:PORT")
      }
      return endpoint
    }
    let reflection = try await reader.fetchBool(forKey: ConfigKey(SettingKey.grpcReflection.rawValue), default: true)
    servesGRPCReflection = options.grpcReflection ?? reflection
  }

  mutating func readHTTP(_ options: Options, _ reader: ConfigReader) async throws {
    httpEndpoints = try (try await reader.texts(options.httpListen, .httpListen) ?? []).map { text in
      if case .unix(let path)? = Endpoint(text) { return .unix(path: path) }
      guard let endpoint = Endpoint(hostAndPort: text) else {
        throw SettingError(
          name: "http-listen", value: text,
          reason: "is not a valid endpoint; use HOST:PORT, tls://HOST:PORT or unix:///PATH")
      }
      return endpoint
    }
    let origins = try await reader.texts(options.httpOrigin, .httpOrigin) ?? []
    if let invalid = origins.first(where: { !$0.isWebOrigin }) {
      throw SettingError(
        name: "http-origin", value: invalid, reason: "is not a valid origin; use https://HOST or https://HOST:PORT")
    }
    guard origins.isEmpty || !httpEndpoints.isEmpty else {
      throw SettingError(name: "http-origin", value: origins[0], reason: "needs the option --http-listen")
    }
    httpOrigins = Set(origins)
    httpURL = try await reader.text(options.httpURL, .httpURL)
    if let httpURL, !httpURL.isWebOrigin {
      throw SettingError(
        name: "http-url", value: httpURL, reason: "is not a valid address; use https://HOST or https://HOST:PORT")
    }
    if let httpURL, httpEndpoints.isEmpty {
      throw SettingError(name: "http-url", value: httpURL, reason: "needs the option --http-listen")
    }
    let page = try await reader.fetchBool(forKey: ConfigKey(SettingKey.httpPage.rawValue), default: true)
    servesPage = options.httpPage ?? page
  }

  mutating func readMetrics(_ options: Options, _ reader: ConfigReader) async throws {
    guard let text = try await reader.text(options.metricsListen, .metricsListen) else { return }
    #if HTTP
    guard let endpoint = Endpoint(hostAndPort: text.contains(":") ? text : "127.0.0.1:\(text)") else {
      throw SettingError(
        name: "metrics-listen", value: text,
        reason: "is not a valid endpoint; use PORT, HOST:PORT or tls://HOST:PORT")
    }
    metricsEndpoint = endpoint
    #else
    throw SettingError(
      name: "metrics-listen", value: text,
      reason: "cannot be used: this program was built without HTTP; build it with the default traits, or with "
        + "'--traits HTTP'")
    #endif
  }

  mutating func readStore(_ options: Options, _ reader: ConfigReader) async throws {
    if let option = options.store { _ = try StoreLocation(option: option) }
    store = try await reader.text(options.store, .store).map { try StoreLocation($0) }
    if let option = options.storeRead { _ = try StoreLocation(option: option, of: "store-read") }
    guard let text = try await reader.text(options.storeRead, .storeRead) else { return }
    guard case .postgreSQL(let uri) = try StoreLocation(text, of: "store-read") else {
      throw SettingError(
        name: "store-read", value: "", reason: "is not a PostgreSQL database; use postgresql://HOST/DATABASE")
    }
    guard case .postgreSQL = store else {
      throw SettingError(
        name: "store-read", value: "postgresql://...", reason: "needs the option --store postgresql://HOST/DATABASE")
    }
    replicaURI = uri
  }

  mutating func readGeocoder(_ options: Options, _ reader: ConfigReader) async throws {
    guard let text = try await reader.text(options.geocoder, .geocoder) else { return }
    do { geocoder = try GeocoderSelection(text) } catch {
      throw SettingError(name: "geocoder", value: "", reason: "is not valid: \(error)")
    }
  }

  mutating func readAccess(_ options: Options, _ reader: ConfigReader) async throws {
    tls = try await ServerTLS.Files(options, reader)
    for (name, endpoints) in listeners {
      for endpoint in endpoints where !endpoint.isSupported {
        throw SettingError(name: name, value: endpoint.description, reason: "cannot be used: \(Endpoint.withoutTLS)")
      }
    }
    let hasTLSEndpoint = allEndpoints.contains { if case .tls = $0 { true } else { false } }
    guard tls != nil || !hasTLSEndpoint else {
      throw SettingError(
        name: "tls://", value: "", reason: "needs a certificate; set '--tls-certificate' and '--tls-key'")
    }
    allowsInsecure = try await reader.flag(options.allowInsecure, .allowInsecure)
    requiresAuthentication = try await reader.flag(options.requireAuthentication, .requireAuthentication)
    let users = try await reader.texts(options.allowUnixUser, .allowUnixUser)
    unixUsers = try Set((users ?? []).map { try unixUser($0, setting: "allow-unix-user") })
  }

  mutating func readSizes(_ options: Options, _ reader: ConfigReader) async throws {
    if let text = try await reader.text(options.maxItems, .maxItems) {
      guard let number = Int(text), number > 0 else {
        throw SettingError(name: "max-items", value: text, reason: "is not a valid number; use 1 or more")
      }
      maximumItems = number
    }
    if let text = try await reader.text(options.itemCache, .itemCache) {
      guard let number = Int(text), (0...1 << 20).contains(number) else {
        throw SettingError(
          name: "item-cache", value: text, reason: "is not a valid size; use a number of MiB from 0 to \(1 << 20)")
      }
      cacheSize = number << 20
    }
  }

  mutating func readNotifications(_ options: Options, _ reader: ConfigReader) async throws {
    sendsNotifications = try await reader.flag(options.notify, .notify)
    permitsPrivateNotifications = try await reader.flag(options.notifyPrivate, .notifyPrivate)
    #if !Nominatim
    if sendsNotifications {
      throw SettingError(name: "notify", value: "", reason: "cannot be used: \(Self.withoutHTTP)")
    }
    #endif
    guard sendsNotifications || !permitsPrivateNotifications else {
      throw SettingError(name: "notify-private", value: "", reason: "needs the option --notify")
    }
    email = try await EmailSettings(options, reader)
    guard sendsNotifications || email == nil else {
      throw SettingError(name: "smtp", value: "", reason: "needs the option --notify")
    }
  }

  /// The reason why a build without the trait Nominatim sends nothing.
  static let withoutHTTP =
    "this program was built without an HTTP client; build it with the default traits, or with '--traits Nominatim'"

  mutating func readLogLevel(_ options: Options, _ reader: ConfigReader) async throws {
    guard let text = try await reader.text(options.logLevel, .logLevel) else { return }
    guard let level = Logger.Level(rawValue: text) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError(name: "log-level", value: text, reason: "is not a valid level; valid levels are \(levels)")
    }
    logLevel = level
  }
}

extension String {
  /// Whether the text is the origin of web pages: a scheme and a host, perhaps a port, and nothing else.
  fileprivate var isWebOrigin: Bool {
    let text = lowercased()
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
    let authority = text.dropFirst(scheme.count)
    return !authority.isEmpty
      && authority.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]".contains($0)) }
  }
}

extension Endpoint {
  /// Parses `HOST:PORT`, `tcp://HOST:PORT` or `tls://HOST:PORT`. Returns `nil` if the text has another form, or no port,
  /// because only ttrpc has a default port.
  fileprivate init?(hostAndPort text: String) {
    switch Endpoint(text.contains("://") ? text : "tcp://\(text)") {
    case .tcp(let host, let port)? where text.hasSuffix(":\(port)"): self = .tcp(host: host, port: port)
    case .tls(let host, let port)? where text.hasSuffix(":\(port)"): self = .tls(host: host, port: port)
    default: return nil
    }
  }
}

extension TrustedProxies {
  /// Reads the addresses of proxies.
  ///
  /// - Throws: `SettingError`.
  fileprivate init(_ options: ServerSettings.Options, _ reader: ConfigReader) async throws {
    self.init()
    for text in try await reader.texts(options.trustedProxy, .trustedProxy) ?? [] {
      if text == "unix" {
        includesUnixSockets = true
      } else if let network = Network(text) {
        networks.append(network)
      } else {
        throw SettingError(
          name: "trusted-proxy", value: text,
          reason: "is not a valid address of proxies; use ADDRESS, ADDRESS/BITS (192.0.2.0/24) or unix")
      }
    }
  }
}

extension ChangeRetention {
  /// Reads the retention of changes.
  ///
  /// - Throws: `SettingError`.
  init(_ options: ServerSettings.Options, _ reader: ConfigReader) async throws {
    self.init()
    if let text = try await reader.text(options.keepChanges, .keepChanges) {
      guard let number = Int(text), number >= 0 else {
        throw SettingError(name: "keep-changes", value: text, reason: "is not a valid number; use 0 or more")
      }
      count = number
    }
    if let text = try await reader.text(options.keepChangesFor, .keepChangesFor) {
      guard let duration = Duration(text: text) else {
        throw SettingError(
          name: "keep-changes-for", value: text, reason: "is not a valid duration; use a form such as 12h or 7d")
      }
      age = duration
    }
  }
}

extension ServerTLS.Files {
  /// Reads the TLS settings, or returns `nil` if none is set.
  ///
  /// - Throws: `SettingError` if only some of them are set.
  fileprivate init?(_ options: ServerSettings.Options, _ reader: ConfigReader) async throws {
    let certificate = try await reader.text(options.tlsCertificate, .tlsCertificate)
    let key = try await reader.text(options.tlsKey, .tlsKey)
    let authorities = try await reader.text(options.tlsClientCA, .tlsClientCA)
    #if !TLS
    for (name, file) in [("tls-certificate", certificate), ("tls-key", key), ("tls-client-ca", authorities)] {
      guard let file else { continue }
      throw SettingError(name: name, value: file, reason: "cannot be used: \(Endpoint.withoutTLS)")
    }
    #endif
    guard let certificate, let key else {
      guard certificate == nil, key == nil, authorities == nil else {
        let missing = certificate == nil ? "tls-certificate" : "tls-key"
        throw SettingError(
          name: missing, value: "", reason: "is missing; set '--tls-certificate' and '--tls-key' together")
      }
      return nil
    }
    self.init(certificate: certificate, key: key, clientAuthorities: authorities)
  }
}

extension ConfigReader {
  /// Returns the option, or else the value in the environment or the file, or `nil` if the setting is not set.
  func text(_ option: String?, _ key: SettingKey) async throws -> String? {
    if let option { option } else { try await fetchString(forKey: ConfigKey(key.rawValue)) }
  }

  /// Returns the values of a repeatable option, or else the values in the environment or the file.
  func texts(_ options: [String], _ key: SettingKey) async throws -> [String]? {
    options.isEmpty ? try await fetchStringArray(forKey: ConfigKey(key.rawValue)) : options
  }

  /// Returns whether the command line, the environment or the file sets a flag.
  fileprivate func flag(_ option: Bool, _ key: SettingKey) async throws -> Bool {
    if option { return true }
    return try await fetchBool(forKey: ConfigKey(key.rawValue), default: false)
  }
}

extension ServerSettings {
  /// The origin at which users reach the HTTP endpoints: empty if none is known, and `nil` if there are no such endpoints.
  var httpOrigin: String? {
    guard !httpEndpoints.isEmpty else { return nil }
    return httpURL ?? httpEndpoints.lazy.compactMap(\.origin).first ?? ""
  }
}

extension Endpoint {
  /// The origin of the endpoint's URLs, or `nil` if it has no address that others can use.
  fileprivate var origin: String? {
    let (scheme, host, port, usual) =
      switch self {
      case .tcp(let host, let port): ("http", host, port, 80)
      case .tls(let host, let port): ("https", host, port, 443)
      case .unix: ("", "", 0, 0)
      }
    guard !["", "0.0.0.0", "::"].contains(host), port != 0 else { return nil }
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://\(name)\(port == usual ? "" : ":\(port)")"
  }
}
