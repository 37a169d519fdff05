import Logging
import ToDoClient
import ToDoGeocoders
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTransport

extension ServiceConnection {
  /// Opens the selected service. This is the composition root of `todo`.
  static func open(_ selection: ServiceSelection) async throws -> ServiceConnection {
    switch selection {
    case .embedded(let path, let geocoder): try openEmbedded(path, geocoder)
    case .server(let endpoint, let credentials): try openServer(endpoint, credentials)
    }
  }

  /// The name that the history shows for changes of this program.
  private static var clientName: String {
    ChangeOrigin.clientName(run: .random(in: 0...UInt32.max), user: LoginName.current, host: HostName.current)
  }

  private static func openEmbedded(_ path: String, _ selection: GeocoderSelection) throws -> ServiceConnection {
    let (store, openLists, closeStore) = try openStore(path)
    let geocoder = try openGeocoder(selection, cachePath: path + ".places")
    let service = LocalToDoService(store: store, geocoder: geocoder.geocoder, tellsClientsApart: false).attributed(
      to: ChangeOrigin(client: clientName))
    let listStore = ListStoreOnDemand(open: openLists)
    let lists = EmbeddedLists(listStore, defaultList: service)
    return ServiceConnection(
      // A reversal of moved items needs the other lists.
      service: lists.items(in: .default), lists: lists, listWatches: lists,
      endpoint: "embedded \(path)",
      health: { .serving },
      close: {
        await geocoder.shutDown()
        await lists.close()
        listStore.close()
        await closeStore()
      })
  }

  /// Opens an empty list in this process, which is not saved.
  @Sendable static func openEmpty(_ selection: GeocoderSelection) throws -> ServiceConnection {
    let geocoder = try openGeocoder(selection, cachePath: nil)
    let store = MemoryToDoItemStore()
    let service = LocalToDoService(store: store, geocoder: geocoder.geocoder)
    let lists = EmbeddedLists(MemoryAccountStore(lists: store), defaultList: service)
    return ServiceConnection(
      service: service, lists: lists, listWatches: lists,
      endpoint: "embedded", health: { .serving }, close: { await geocoder.shutDown() })
  }

  private static func openGeocoder(_ selection: GeocoderSelection, cachePath: String?) throws -> OpenGeocoder {
    let program = OpenGeocoder.Program(product: "todo/\(ServiceInfo.currentVersion)", cachePath: cachePath)
    return try OpenGeocoder(selection, program: program) {
      do { return try GazetteerGeocoder() } catch { return UnavailableGeocoder(because: error) }
    }
  }

  /// The disk space with which items can be deleted on a full disk.
  private static var reserve: Int { 1 << 19 }

  /// Opens the list on this machine; for reading, if its directory or file system is read-only.
  ///
  /// - Throws: `SQLiteStoreError`; `PrivateFileError` if the list belongs to another user, who could read and change it.
  private static func openStore(_ path: String) throws -> (
    any ToDoItemStore, lists: @Sendable () throws -> ListStoreOnDemand.Opened, close: @Sendable () async -> Void
  ) {
    for path in [PrivateFile.directory(of: path), path] { try PrivateFile.checkOwner(of: path) }
    do {
      let store = try SQLiteToDoItemStore(path: path, reserve: reserve, keepsReserve: true)
      let openLists: @Sendable () throws -> ListStoreOnDemand.Opened = {
        let lists = try SQLiteAccountStore(beside: store)
        return ListStoreOnDemand.Opened(store: lists) { lists.close() }
      }
      return (store, openLists, { await store.close() })
    } catch let error as SQLiteStoreError where error.isReadOnly {
      let store = try ReadOnlySQLiteStore(copying: path)
      let openLists: @Sendable () throws -> ListStoreOnDemand.Opened = {
        let lists = try store.openLists()
        return ListStoreOnDemand.Opened(store: lists.store, close: lists.close)
      }
      return (store, openLists, { await store.close() })
    }
  }

  private static func openServer(_ text: String, _ credentials: ServerCredentials) throws -> ServiceConnection {
    let endpoint = try Endpoint(commandLine: text)
    // Nothing is logged, because the error of a call contains every detail.
    var configuration = ToDoClient.Configuration()
    configuration.clientName = clientName
    configuration.token = credentials.token
    if let user = credentials.serverUser { configuration.serverUnixUsers = [user] }
    configuration.tls.authorities = credentials.authorities
    if let certificate = credentials.certificate, let key = credentials.key {
      configuration.tls.identity = .init(certificate: certificate, key: key)
    }
    let (states, state) = AsyncStream.makeStream(of: ConnectionState.self, bufferingPolicy: .bufferingNewest(1))
    configuration.watchConnectionChanged = { state.yield(ConnectionState($0)) }
    let client = ToDoClient(
      endpoint: endpoint, configuration: configuration,
      logger: Logger(label: "todo") { _ in SwiftLogNoOpLogHandler() })
    return ServiceConnection(
      service: client, lists: client, notifications: client, positions: client, reminders: client, feeds: client,
      signIn: client, listWatches: client,
      endpoint: endpoint.description,
      health: { try await client.isServing() ? .serving : .notServing }, connectionStates: { states },
      close: { await client.close() })
  }
}

extension SQLiteStoreError {
  /// Whether the list can be read although it cannot be written.
  fileprivate var isReadOnly: Bool {
    switch self {
    case .readOnly, .notWritable: true
    default: false
    }
  }
}

extension Endpoint {
  /// Parses an endpoint given on the command line.
  ///
  /// - Throws: `Failure` if the text is not a valid endpoint, or this build cannot use the endpoint.
  init(commandLine text: String) throws {
    guard let endpoint = Endpoint(text) else {
      let quoted = Endpoint.isQuotable(text) ? " '\(text.escapingControls())'" : ""
      throw Failure.usage(
        "invalid endpoint\(quoted): use tls://host:port, tcp://host:port or unix:///path",
        reason: "INVALID_ENDPOINT")
    }
    guard endpoint.isSupported else {
      throw Failure.usage(
        "\(endpoint.description.escapingControls()): \(Endpoint.withoutTLS)", reason: "TLS_NOT_SUPPORTED")
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
