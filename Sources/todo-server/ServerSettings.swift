import Configuration
import Logging
import SystemPackage
import TTRPCTransport
import ToDoGeocoders
import ToDoModel
import ToDoStores

/// What the server was told: by options, by the environment, by a file, in that order of precedence.
struct ServerSettings {
  var endpoints: [Endpoint]
  /// Where gRPC is served too.
  var grpcEndpoints: [Endpoint] = []
  /// Whether server reflection is served over gRPC.
  var servesGRPCReflection = true
  /// `nil` when nobody said.
  var store: StoreLocation?
  var geocoder: GeocoderSelection
  /// For how long changes are kept, so that a watch can resume.
  var retention: ChangeRetention
  var logLevel: Logger.Level
  /// What to show and to demand at `tls://` endpoints; `nil`: there are none.
  var tls: ServerTLS.Files?
  /// Whether others than this machine's programs may be served without TLS and without credentials.
  var allowsInsecure = false
  /// Whether everybody must show credentials, even where the server has no users yet.
  var requiresAuthentication = false
  /// The Unix users besides the server's own who may come over a Unix socket.
  var unixUsers: Set<UInt32> = []
  /// How many items a list may have.
  var maximumItems = LocalToDoService.defaultItemLimit
  /// How many bytes a list's items, changes and deleted IDs may take.
  var maximumListSize = LocalToDoService.defaultByteLimit
  /// How fast a list may change.
  var writeRate = WriteRateLimiter.Limits()
  /// About how many bytes of items are kept in memory.
  var cacheSize = SQLiteToDoItemStore.defaultCacheSize
  /// What connections are held to.
  var limits = ServerConfiguration()
  /// How long calls in flight may go on when the server shuts down.
  var shutdownTime: Duration = .seconds(10)

  /// What the command line said; empty or `nil` for what it did not say.
  struct Options {
    var listen: [String] = []
    var grpcListen: [String] = []
    var grpcReflection: Bool?
    var store: String?
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

  /// Only programs on this machine reach it.
  static let defaultEndpoint = Endpoint.tcp(host: "127.0.0.1", port: Endpoint.defaultPort)

  /// - Throws: `SettingError` that names the setting, and the file's own error when it cannot be read.
  init(
    _ options: Options, environment: some ConfigProvider = EnvironmentVariablesProvider(arraySeparator: ",")
  ) async throws {
    let environment = environment.prefixKeys(with: ["todo", "server"])
    var providers: [any ConfigProvider] = [environment]
    let environmentReader = ConfigReader(provider: environment)
    if let path = options.configFile ?? environmentReader.string(forKey: "config") {
      do { providers.append(try await FileProvider<SettingsFile>(filePath: FilePath(path))) } catch {
        if let error = error as? SettingError { throw error }
        throw SettingError(name: "config", value: path, reason: "cannot be read: \(error)")
      }
    }
    let reader = ConfigReader(providers: providers)

    let listen = try await reader.texts(options.listen, .listen)
    endpoints = try (listen ?? [Self.defaultEndpoint.description]).map { text in
      guard let endpoint = Endpoint(text) else {
        throw SettingError(
          name: "listen", value: text, reason: "is none of tcp://HOST:PORT, tls://HOST:PORT and unix:///PATH")
      }
      return endpoint
    }
    guard !endpoints.isEmpty else {
      throw SettingError(name: "listen", value: "", reason: "names no endpoint")
    }

    let grpcListen = try await reader.texts(options.grpcListen, .grpcListen)
    grpcEndpoints = try (grpcListen ?? []).map(Endpoint.init(grpcListen:))
    let reflection = try await reader.fetchBool(forKey: ConfigKey(SettingKey.grpcReflection.rawValue), default: true)
    servesGRPCReflection = options.grpcReflection ?? reflection

    store = try await reader.text(options.store, .store).map(StoreLocation.init)

    let geocoderText = try await reader.text(options.geocoder, .geocoder) ?? "gazetteer"
    do { geocoder = try GeocoderSelection(geocoderText) } catch {
      throw SettingError(name: "geocoder", value: geocoderText, reason: "cannot be used: \(error)")
    }

    retention = try await ChangeRetention(options, reader)
    tls = try await ServerTLS.Files(options, reader)
    let speaksTLS = (endpoints + grpcEndpoints).contains { if case .tls = $0 { true } else { false } }
    guard tls != nil || !speaksTLS else {
      throw SettingError(name: "tls-certificate", value: "", reason: "must be given, as there is a tls:// endpoint")
    }
    allowsInsecure = try await reader.flag(options.allowInsecure, .allowInsecure)
    requiresAuthentication = try await reader.flag(options.requireAuthentication, .requireAuthentication)
    let users = try await reader.texts(options.allowUnixUser, .allowUnixUser)
    unixUsers = try Set((users ?? []).map { try unixUser($0, setting: "allow-unix-user") })
    if let text = try await reader.text(options.maxItems, .maxItems) {
      guard let number = Int(text), number > 0 else {
        throw SettingError(name: "max-items", value: text, reason: "is not a number of items")
      }
      maximumItems = number
    }
    if let text = try await reader.text(options.itemCache, .itemCache) {
      guard let number = Int(text), (0...1 << 20).contains(number) else {
        throw SettingError(name: "item-cache", value: text, reason: "is not a number of MiB")
      }
      cacheSize = number << 20
    }

    let levelText = try await reader.text(options.logLevel, .logLevel) ?? "info"
    guard let level = Logger.Level(rawValue: levelText) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError(name: "log-level", value: levelText, reason: "is none of \(levels)")
    }
    logLevel = level

    // Each source has its say about each limit, as there are many.
    var limitTexts: [String] = []
    for provider in providers.reversed() {
      limitTexts += try await ConfigReader(provider: provider).texts([], .limits) ?? []
    }
    try LimitSetting.apply(limitTexts + options.limit, to: &self)
  }
}

extension Endpoint {
  /// Reads `HOST:PORT`, also after `tcp://` or `tls://`. gRPC has no port of its own, so there must be one.
  ///
  /// - Throws: `SettingError`.
  fileprivate init(grpcListen text: String) throws {
    switch Endpoint(text.contains("://") ? text : "tcp://\(text)") {
    case .tcp(let host, let port)? where text.hasSuffix(":\(port)"): self = .tcp(host: host, port: port)
    case .tls(let host, let port)? where text.hasSuffix(":\(port)"): self = .tls(host: host, port: port)
    default: throw SettingError(name: "grpc-listen", value: text, reason: "is neither HOST:PORT nor tls://HOST:PORT")
    }
  }
}

extension ChangeRetention {
  fileprivate init(_ options: ServerSettings.Options, _ reader: ConfigReader) async throws {
    self.init()
    if let text = try await reader.text(options.keepChanges, .keepChanges) {
      guard let number = Int(text), number >= 0 else {
        throw SettingError(name: "keep-changes", value: text, reason: "is not a number of changes")
      }
      count = number
    }
    if let text = try await reader.text(options.keepChangesFor, .keepChangesFor) {
      guard let duration = Duration(text: text) else {
        throw SettingError(name: "keep-changes-for", value: text, reason: "is not a time such as 12h or 7d")
      }
      age = duration
    }
  }
}

extension ServerTLS.Files {
  /// - Returns: `nil` when neither a certificate nor a key is named.
  fileprivate init?(_ options: ServerSettings.Options, _ reader: ConfigReader) async throws {
    let certificate = try await reader.text(options.tlsCertificate, .tlsCertificate)
    let key = try await reader.text(options.tlsKey, .tlsKey)
    let authorities = try await reader.text(options.tlsClientCA, .tlsClientCA)
    guard let certificate, let key else {
      guard certificate == nil, key == nil, authorities == nil else {
        let missing = certificate == nil ? "tls-certificate" : "tls-key"
        throw SettingError(name: missing, value: "", reason: "must be given with the other settings of TLS")
      }
      return nil
    }
    self.init(certificate: certificate, key: key, clientAuthorities: authorities)
  }
}

extension ConfigReader {
  /// What the command line says, or else the environment or the file; `nil` when nobody says anything.
  fileprivate func text(_ option: String?, _ key: SettingKey) async throws -> String? {
    if let option { option } else { try await fetchString(forKey: ConfigKey(key.rawValue)) }
  }

  /// What the command line says as often as it likes, or else the environment or the file.
  fileprivate func texts(_ options: [String], _ key: SettingKey) async throws -> [String]? {
    options.isEmpty ? try await fetchStringArray(forKey: ConfigKey(key.rawValue)) : options
  }

  /// Whether the command line, the environment or the file sets a flag.
  fileprivate func flag(_ option: Bool, _ key: SettingKey) async throws -> Bool {
    if option { return true }
    return try await fetchBool(forKey: ConfigKey(key.rawValue), default: false)
  }
}

/// A setting has a value that it cannot have.
struct SettingError: Error, Equatable, CustomStringConvertible {
  let name: String
  let value: String
  let reason: String

  var description: String { "\(name): “\(value)” \(reason)" }
}
