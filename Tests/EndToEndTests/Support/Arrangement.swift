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

  /// The arrangements with a server.
  static var served: [Arrangement] {
    var all = [inMemoryPipe, unixSocket, tcp]
    #if GRPC
    all.append(grpc)
    #endif
    #if HTTP
    all += [http, grpcWeb, grpcOverHTTP]
    #endif
    return all
  }

  #if HTTP
  static let overHTTP = [http, grpcWeb]
  #endif

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

  /// Runs a rule of lists against users of an empty store, and releases all resources afterwards.
  func check(_ rule: ContractRule<ServiceContract.Users>, _ store: StoreKind) async throws {
    try await withUsers(store) { try await rule.check($0) }
  }

  /// Runs `body` with users of an empty store, and releases all resources afterwards.
  func withUsers(
    _ store: StoreKind, _ body: @Sendable (ServiceContract.Users) async throws -> Void
  ) async throws {
    try await withRemindedUsers(store) { try await body($0.users) }
  }

  /// Runs a rule of reminders against users of an empty store, and releases all resources afterwards.
  func check(_ rule: ContractRule<ServiceContract.RemindedUsers>, _ store: StoreKind) async throws {
    try await withRemindedUsers(store) { try await rule.check($0) }
  }

  private func withRemindedUsers(
    _ store: StoreKind, _ body: @Sendable (ServiceContract.RemindedUsers) async throws -> Void
  ) async throws {
    try await store.withAccounts { store, accounts in
      let subject = try await ServiceContract.RemindedUsers(over: store, accounts)
      guard self != .direct else { return try await body(subject) }
      let users = subject.users
      let userLists = UserLists(users.directory, list: users.list, sharedAmong: accounts)
      let policy = AccessPolicy(anonymousList: nil, unixUsers: [])
      let access = AccountAccess(
        accounts: accounts, policy: policy, userLists: userLists, reminders: subject.book
      ) { users.list.list(of: $0) }
      let tokens = try await accounts.addTokens(of: ServiceContract.Users.names)
      try await withClients(of: MethodTable(serving: access, health: HealthMonitor(services: []))) { client in
        var subject = subject
        let (ann, bob) = (try client(tokens["ann"]), try client(tokens["bob"]))
        (subject.users.ann, subject.users.bob) = (ann, bob)
        subject.users.cat = try client(tokens["cat"])
        subject.ann = try #require(ann as? any ReminderService)
        subject.bob = try #require(bob as? any ReminderService)
        try await body(subject)
      }
    }
  }

  private func withService(
    _ service: any ToDoService, _ body: @Sendable (any ToDoService) async throws -> Void
  ) async throws {
    guard self != .direct else { return try await body(service) }
    try await withClients(of: MethodTable(serving: service, health: HealthMonitor(services: []))) { client in
      try await body(try client(nil).items(in: .default))
    }
  }

  /// Serves methods, and runs `body` with a function that returns the client of a user, by the user's token.
  private func withClients(
    of methods: MethodTable, _ body: @Sendable (_ client: (String?) throws -> any ToDoListService) async throws -> Void
  ) async throws {
    switch self {
    case .direct: preconditionFailure("nothing is served")
    case .inMemoryPipe:
      let network = InMemoryNetwork(methods: methods)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await network.run() }
        // Only a closed channel ends the wait for its bytes.
        let outcome = await Result {
          try await body { token in
            ToDoClient(endpoint: .unix(path: "/pipe"), configuration: .bearing(token)) { try await network.connect() }
          }
        }
        await network.close()
        try outcome.get()
      }
    case .unixSocket:
      try await withTemporaryDirectory { directory in
        try await TestServer.with(methods, at: .unix(path: "\(directory)/todo.sock")) { server in
          try await body { server.client(.bearing($0)) }
        }
      }
    case .tcp: try await TestServer.with(methods) { server in try await body { server.client(.bearing($0)) } }
    #if GRPC
    case .grpc:
      try await GRPCTestServer.with(methods) { server in
        try await GRPCTestClient.with(server.endpoint) { client in
          try await body { ForeignToDoListService(client, token: $0) }
        }
      }
    #endif
    #if HTTP
    case .http:
      try await HTTPTestServer.with(methods) { server in
        try await body { ForeignToDoListService(try ConnectTestClient(server.endpoint), token: $0) }
      }
    case .grpcWeb:
      try await HTTPTestServer.with(methods) { server in
        try await body { ForeignToDoListService(try GRPCWebTestClient(server.endpoint), token: $0) }
      }
    case .grpcOverHTTP:
      try await HTTPTestServer.with(methods) { server in
        try await GRPCTestClient.with(server.endpoint) { client in
          try await body { ForeignToDoListService(client, token: $0) }
        }
      }
    #endif
    }
  }
}

extension ToDoClient.Configuration {
  /// The default configuration with a token.
  fileprivate static func bearing(_ token: String?) -> Self {
    var configuration = Self()
    configuration.token = token
    return configuration
  }
}

#if GRPC || HTTP
extension ForeignToDoListService {
  fileprivate init(_ client: any MethodClient, token: String?) {
    self.init(client, authorization: token.map { "Bearer \($0)" })
  }
}
#endif

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

  /// Calls `body` with the stores of items, and of users with their lists, in one database.
  func withAccounts(
    _ body: (any ToDoItemStore, any AccountStore & ListStore & ReminderStateStore) async throws -> Void
  ) async throws {
    switch self {
    case .memory:
      let store = MemoryToDoItemStore()
      try await body(store, MemoryAccountStore(lists: store))
    case .sqlite:
      try await withTemporaryDirectory { directory in
        let store = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite")
        let accounts = try SQLiteAccountStore(path: "\(directory)/items.sqlite")
        try await body(store, accounts)
        accounts.close()
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
