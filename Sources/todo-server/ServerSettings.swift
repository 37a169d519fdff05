import Configuration
import Logging
import SystemPackage
import TTRPCTransport

/// What the server was told: by options, by the environment, by a file, in that order of precedence.
struct ServerSettings {
  var endpoints: [Endpoint]
  /// `nil` when nobody said.
  var store: StoreLocation?
  var logLevel: Logger.Level

  /// What the command line said; empty or `nil` for what it did not say.
  struct Options {
    var listen: [String] = []
    var store: String?
    var logLevel: String?
    var configFile: String?
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
      do { providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(path))) } catch {
        throw SettingError(name: "config", value: path, reason: "cannot be read: \(error)")
      }
    }
    let reader = ConfigReader(providers: providers)

    let listen = options.listen.isEmpty ? try await reader.fetchStringArray(forKey: "listen") : options.listen
    endpoints = try (listen ?? [Self.defaultEndpoint.description]).map { text in
      guard let endpoint = Endpoint(text) else {
        throw SettingError(name: "listen", value: text, reason: "is neither tcp://HOST:PORT nor unix:///PATH")
      }
      return endpoint
    }
    guard !endpoints.isEmpty else {
      throw SettingError(name: "listen", value: "", reason: "names no endpoint")
    }

    let storeText = if let store = options.store { store } else { try await reader.fetchString(forKey: "store") }
    store = try storeText.map(StoreLocation.init)

    let levelText = if let level = options.logLevel { level } else { try await reader.fetchString(forKey: "logLevel") }
    guard let level = Logger.Level(rawValue: levelText ?? "info") else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError(name: "log-level", value: levelText ?? "", reason: "is none of \(levels)")
    }
    logLevel = level
  }
}

/// A setting has a value that it cannot have.
struct SettingError: Error, Equatable, CustomStringConvertible {
  let name: String
  let value: String
  let reason: String

  var description: String { "\(name): “\(value)” \(reason)" }
}
