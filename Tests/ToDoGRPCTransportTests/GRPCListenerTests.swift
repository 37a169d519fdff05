#if GRPC
import ToDoGRPCTransport
import ToDoRPC
import ToDoTestCertificates
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRules
import ToDoStores
import ToDoTransport

@testable import ToDoServer

/// Where gRPC listens, who is let in there, and how it stops.
@Suite(.timeLimited) struct GRPCListenerTests {
  private let methods = TestMethods()
  private let health = HealthMonitor(services: [ToDoMethods.service])
  private let service = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())

  // MARK: Listening

  @Test func serve_whenEndpointIsInUse_namesEndpoint() async throws {
    try await GRPCTestServer.with(methods.table) { server in
      let error = await #expect(throws: EndpointError.self) {
        try await GRPCTestServer.with(methods.table, at: server.endpoint) { _ in }
      }
      #expect(error?.endpoint == server.endpoint)
    }
  }

  @Test(arguments: [Endpoint.unix(path: "/tmp/todo-grpc.sock"), .tls(host: "localhost", port: 0)])
  func serve_whenEndpointIsUnsupported_fails(_ endpoint: Endpoint) async {
    await #expect(throws: EndpointError.self) {
      try await GRPCTestServer.with(methods.table, at: endpoint) { _ in }
    }
  }

  // MARK: Access

  @Test func token_whenValid_authenticatesItsUser() async throws {
    let accounts = MemoryAccountStore()
    try await accounts.addUser(.sample("ann"))
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("ann"), secretHash: token.secretHash, isReadOnly: true,
        createdAt: TestClock().now(), expiresAt: nil))
    let access = AccountAccess(accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: [])) { _ in
      service
    }
    try await GRPCTestServer.with(MethodTable(serving: access, health: health)) { server in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        let (info, delete) = (ToDoMethods.getServerInfo, ToDoMethods.deleteItems)
        let good = ["authorization": "Bearer \(token)"]
        _ = try await client.call(info.name, [], metadata: good)
        for metadata in [[:], ["authorization": "Bearer \(BearerToken())"]] {
          let error = await #expect(throws: RPCError.self) {
            try await client.call(info.name, [], metadata: metadata)
          }
          #expect(error.flatMap(ToDoError.init) == .unauthenticated)
        }
        let error = await #expect(throws: RPCError.self) {
          try await client.call(delete.name, delete.request.encoded(BulkDeletionRequest(.all)), metadata: good)
        }
        #expect(error.flatMap(ToDoError.init) == .readOnly)
      }
    }
  }

  #if TLS
  @Test func clientCertificate_whenTrusted_authenticatesItsUser() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      var files = ServerTLS.Files(try certificates.server())
      files.clientAuthorities = certificates.authority
      let accounts = MemoryAccountStore()
      try await accounts.addUser(.sample("ann", certificate: "CN=ann"))
      let policy = AccessPolicy(anonymousList: nil, unixUsers: [])
      let access = AccountAccess(accounts: accounts, policy: policy) { _ in service }
      let table = MethodTable(serving: access, health: health)
      try await GRPCTestServer.with(table, at: .tls(host: "localhost", port: 0), tls: try ServerTLS(files)) {
        server in
        var tls = ClientTLS(
          authorities: certificates.authority, identity: ClientTLS.Identity(try certificates.client("ann")))
        try await GRPCTestClient.with(server.endpoint, tls: tls) {
          _ = try await $0.call(ToDoMethods.getServerInfo.name, [])
        }
        for stranger in [ClientTLS.Identity(try certificates.client("eve")), nil] {
          tls.identity = stranger
          try await GRPCTestClient.with(server.endpoint, tls: tls) { client in
            let error = await #expect(throws: RPCError.self) {
              try await client.call(ToDoMethods.getServerInfo.name, [])
            }
            #expect(error?.code == .unauthenticated)
          }
        }
      }
    }
  }
  #endif

  // MARK: Shutdown

  /// Shuts a server down while `body` speaks to it; a call is in flight, so the connection stays.
  private func whileShuttingDown(
    _ body: @Sendable (GRPCTestServer, GRPCTestClient) async throws -> Void
  ) async throws {
    let table = MethodTable(serving: service, health: health, additional: methods.methods)
    try await GRPCTestServer.with(table) { server in
      try await GRPCTestClient.with(server.endpoint) { client in
        try await withThrowingTaskGroup(of: String?.self) { group in
          group.addTask { try await client.say("held", to: "Hold") }
          try await methods.journal.wait(for: "started held")
          try await body(server, client)
          methods.gate.open()
          #expect(try await group.next() == "held")
        }
      }
    }
  }

  @Test func shutDown_whenCallIsInFlight_waitsForResponse() async throws {
    try await whileShuttingDown { server, client async throws in
      async let watch: Void = client.stream(HealthMethods.watch.name, [[]]) { messages in
        var statuses: [HealthStatus] = []
        for try await message in messages {
          statuses.append(try HealthMethods.watch.response.decode(bytes: message))
          methods.journal.record("status")
        }
        #expect(statuses == [.serving, .notServing])
      }
      try await methods.journal.wait(for: "status")
      health.stopServing()
      async let shutDown: Void = server.listener.shutDown(grace: .seconds(3600))
      try await watch
      methods.gate.open()
      await shutDown
    }
  }

  @Test func shutDown_whenWatchIsOpen_endsItAsResumable() async throws {
    try await whileShuttingDown { server, client async throws in
      let request = ToDoMethods.watchItems.request.encoded(WatchRequest(start: .now, state: .all))
      let watch = Task {
        try await client.stream(ToDoMethods.watchItems.name, [request]) { messages in
          for try await _ in messages { methods.journal.record("event") }
        }
      }
      try await methods.journal.wait(for: "event")
      async let shutDown: Void = server.listener.shutDown(grace: .seconds(3600))
      let error = await #expect(throws: RPCError.self) { try await watch.value }
      #expect(error == .shuttingDown)
      methods.gate.open()
      await shutDown
    }
  }

  @Test func shutDown_whenGraceExpires_cancelsCalls() async throws {
    try await GRPCTestServer.with(methods.table) { server in
      try await GRPCTestClient.with(server.endpoint) { client in
        let call = Task { try await client.say("held", to: "Hold") }
        try await methods.journal.wait(for: "started held")
        await server.listener.shutDown(grace: .zero)
        await #expect(throws: RPCError.self) { try await call.value }
        try await methods.journal.wait(for: "cancelled held")
      }
    }
  }
}
#endif
