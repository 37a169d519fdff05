import Logging
import NIOPosix
import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

/// The arrangement of service and caller under which a contract is tested.
enum Arrangement: CustomTestStringConvertible {
  case direct, inMemoryPipe, unixSocket, tcp
  #if GRPC
  case grpc
  #endif
  #if HTTP
  case http, grpcWeb, grpcOverHTTP
  #endif

  static let inProcess = [direct, inMemoryPipe]

  var testDescription: String { "\(self)" }

  /// Runs a rule of the contract against a service with an empty store, and releases all resources afterwards.
  func check(_ rule: ContractRule<ServiceContract.Subject>, _ store: StoreKind) async throws {
    try await store.withStore { store in
      let subject = ServiceContract.Subject(over: store)
      try await withService(subject.service) { service in
        var subject = subject
        subject.service = service
        try await rule.check(subject)
      }
    }
  }

  private func withService(
    _ service: any ToDoService, _ body: @Sendable (any ToDoService) async throws -> Void
  ) async throws {
    switch self {
    case .direct: try await body(service)
    case .inMemoryPipe:
      let health = HealthMonitor(services: [])
      let network = InMemoryNetwork(methods: MethodTable(serving: service, health: health))
      let client = ToDoClient(endpoint: .unix(path: "/pipe")) { try await network.connect() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await network.run() }
        // Only a closed channel ends the wait for its bytes.
        let outcome = await Result { try await body(client) }
        await network.close()
        try outcome.get()
      }
    case .unixSocket:
      try await withTemporaryDirectory { directory in
        try await TestServer.with(service, at: .unix(path: "\(directory)/todo.sock")) { try await body($0.client()) }
      }
    case .tcp:
      try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { try await body($0.client()) }
    #if GRPC
    case .grpc:
      let methods = MethodTable(serving: service, health: HealthMonitor(services: []))
      try await GRPCTestServer.with(methods) { server in
        try await GRPCTestClient.with(server.endpoint) { try await body(ForeignToDoService(client: $0)) }
      }
    #endif
    #if HTTP
    case .http:
      let methods = MethodTable(serving: service, health: HealthMonitor(services: []))
      try await HTTPTestServer.with(methods) { server in
        try await body(ForeignToDoService(client: ConnectTestClient(server.endpoint)))
      }
    case .grpcWeb:
      let methods = MethodTable(serving: service, health: HealthMonitor(services: []))
      try await HTTPTestServer.with(methods) { server in
        try await body(ForeignToDoService(client: GRPCWebTestClient(server.endpoint)))
      }
    case .grpcOverHTTP:
      let methods = MethodTable(serving: service, health: HealthMonitor(services: []))
      try await HTTPTestServer.with(methods) { server in
        try await GRPCTestClient.with(server.endpoint) { try await body(ForeignToDoService(client: $0)) }
      }
    #endif
    }
  }
}

/// The store of the service.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
  case memory, sqlite

  var testDescription: String { "\(self)" }

  func withStore(_ body: (any ToDoItemStore) async throws -> Void) async throws {
    switch self {
    case .memory: try await body(MemoryToDoItemStore())
    case .sqlite:
      try await withTemporaryDirectory { directory in
        let store = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite")
        try await body(store)
        await store.close()
      }
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
