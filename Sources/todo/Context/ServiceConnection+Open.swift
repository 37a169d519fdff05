import Logging
import TTRPCTransport
import ToDoClient
import ToDoGeocoders
import ToDoModel
import ToDoStores

extension ServiceConnection {
  /// The composition root: makes the service that was selected.
  static func open(_ selection: ServiceSelection) async throws -> ServiceConnection {
    switch selection {
    case .embedded(let path, let geocoder): try openEmbedded(path, geocoder)
    case .server(let endpoint, let access): try openServer(endpoint, access)
    }
  }

  private static func openEmbedded(_ path: String, _ selection: GeocoderSelection) throws -> ServiceConnection {
    let store = try SQLiteToDoItemStore(path: path)
    let program = OpenGeocoder.Program(product: "todo/\(ServiceInfo.currentVersion)", cachePath: path + ".places")
    let geocoder = try OpenGeocoder(selection, program: program) { try GazetteerGeocoder() }
    return ServiceConnection(
      service: LocalToDoService(store: store, geocoder: geocoder.geocoder), endpoint: "embedded \(path)",
      health: { .serving },
      close: {
        await geocoder.shutDown()
        await store.close()
      })
  }

  private static func openServer(_ text: String, _ access: ServerAccess) throws -> ServiceConnection {
    let endpoint = try Endpoint(commandLine: text)
    // What goes wrong is in the error of the call; a log would only repeat it.
    var configuration = ToDoClient.Configuration()
    configuration.token = access.token
    if let user = access.serverUser { configuration.serverUnixUsers = [user] }
    configuration.tls.authorities = access.authorities
    if let certificate = access.certificate, let key = access.key {
      configuration.tls.identity = .init(certificate: certificate, key: key)
    }
    let (states, state) = AsyncStream.makeStream(of: ConnectionState.self, bufferingPolicy: .bufferingNewest(1))
    configuration.watchConnectionChanged = { state.yield(ConnectionState($0)) }
    let client = ToDoClient(
      endpoint: endpoint, configuration: configuration,
      logger: Logger(label: "todo") { _ in SwiftLogNoOpLogHandler() })
    return ServiceConnection(
      service: client, endpoint: endpoint.description,
      health: { try await client.isServing() ? .serving : .notServing }, connectionStates: { states },
      close: { await client.close() })
  }
}

extension Endpoint {
  /// - Throws: `Failure` when the text is none.
  init(commandLine text: String) throws {
    guard let endpoint = Endpoint(text) else {
      throw Failure.usage(
        "'\(text.escapingControls())' is not an endpoint: write tls://host:port, tcp://host:port or unix:///path",
        reason: "INVALID_ENDPOINT")
    }
    self = endpoint
  }
}

extension ConnectionState {
  fileprivate init(_ state: WatchConnectionState) {
    self =
      switch state {
      case .connecting: .connecting
      case .connected: .connected
      case .lost: .disconnected
      }
  }
}
