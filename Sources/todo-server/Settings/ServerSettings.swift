import Configuration
import Logging
import ToDoGeocoders
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
  /// The location of the store, or `nil` for the list that `todo` uses without a server.
  var store: StoreLocation?
  /// The connection URI of replicas of a PostgreSQL store, or `nil` to read from the store only.
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
  /// The maximum size of a list's items, changes and deleted items in bytes.
  var maximumListSize = LocalToDoService.defaultByteLimit
  /// The maximum rate of writes per list.
  var writeRate = WriteRateLimiter.Limits()
  /// The approximate size of the item cache in bytes.
  var cacheSize = SQLiteToDoItemStore.defaultCacheSize
  /// The limits of connections.
  var limits = ServerLimits()
  /// The time for which calls in flight may continue when the server shuts down.
  var shutdownTime: Duration = .seconds(10)

  /// The command-line options. Options that are not given are empty or `nil`.
  struct Options {
    var listen: [String] = []
    var grpcListen: [String] = []
    var grpcReflection: Bool?
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
    try await readStore(options, reader)
    try await readGeocoder(options, reader)
    retention = try await ChangeRetention(options, reader)
    try await readAccess(options, reader)
    try await readSizes(options, reader)
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
