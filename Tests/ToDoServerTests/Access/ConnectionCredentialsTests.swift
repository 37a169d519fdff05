import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoServer

/// Credentials that a client presents once for a connection.
@Suite(.timeLimited) struct ConnectionCredentialsTests {
  private let accounts = MemoryAccountStore()
  private let store = MemoryToDoItemStore()

  private func withServer(_ body: (TestServer, AccountAccess) async throws -> Void) async throws {
    let list = LocalToDoService(store: store)
    let access = AccountAccess(accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: [])) {
      list.list(of: $0)
    }
    let health = HealthMonitor(services: [])
    var configuration = ServerLimits.patient
    configuration.requiresAuthentication = true
    try await TestServer.with(
      MethodTable(serving: access, health: health), health: health, configuration: configuration
    ) {
      try await body($0, access)
    }
  }

  private func addToken(_ name: String) async throws -> BearerToken {
    try await accounts.addUser(.sample(name))
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample(name), secretHash: token.secretHash, isReadOnly: false,
        createdAt: Timestamp(microseconds: 0), expiresAt: nil))
    return token
  }

  private func authenticate(_ id: UInt32, _ authorization: String, inMetadata: Bool = false) -> RawFrame {
    .call(
      id, "todo.v1.ConnectionService", "Authenticate",
      inMetadata ? ProtobufBytes() : ProtobufBytes().field(1, authorization),
      authorization: inMetadata ? authorization : nil)
  }

  private func info(_ id: UInt32, authorization: String? = nil) -> RawFrame {
    .call(id, "todo.v1.ToDoService", "GetServerInfo", ProtobufBytes(), authorization: authorization)
  }

  /// A watch of future changes.
  private func watch(_ id: UInt32) -> RawFrame {
    .call(id, "todo.v1.ToDoService", "WatchItems", ProtobufBytes().field(1, ProtobufBytes()), flags: 1)
  }

  @Test(arguments: [false, true])
  func calls_afterAuthenticate_useItsCredentials(inMetadata: Bool) async throws {
    let token = try await addToken("ann")
    try await withServer { server, _ in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try await client.response(to: info(1)).error?.reason == "UNAUTHENTICATED")
        let answer = try await client.response(to: authenticate(3, "Bearer \(token)", inMetadata: inMetadata))
        #expect(try answer.error == nil && answer.data.isEmpty)
        #expect(try await client.response(to: info(5)).error == nil)
        // The stream has no metadata either.
        #expect(try await client.response(to: watch(7)).type == 3)
      }
      // Another connection has to present its own credentials.
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try await client.response(to: info(1)).error?.reason == "UNAUTHENTICATED")
      }
    }
  }

  @Test func authenticate_whenCredentialsAreInvalid_changesNothing() async throws {
    let token = try await addToken("ann")
    try await withServer { server, _ in
      try await RawClient.with(server.endpoint) { client async throws in
        for (id, wrong) in [(1, "Bearer \(BearerToken())"), (3, "nonsense"), (5, "")] as [(UInt32, String)] {
          #expect(try await client.response(to: authenticate(id, wrong)).error?.reason == "UNAUTHENTICATED")
        }
        #expect(try await client.response(to: info(7)).error?.reason == "UNAUTHENTICATED")
        #expect(try await client.response(to: authenticate(9, "Bearer \(token)")).error == nil)
        #expect(try await client.response(to: authenticate(11, "nonsense")).error?.reason == "UNAUTHENTICATED")
        #expect(try await client.response(to: info(13)).error == nil)
      }
    }
  }

  @Test func call_whenItHasCredentials_usesThem() async throws {
    let (ann, bob) = (try await addToken("ann"), try await addToken("bob"))
    try await withServer { server, _ in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try await client.response(to: authenticate(1, "Bearer \(ann)")).error == nil)
        let wrong = try await client.response(to: info(3, authorization: "Bearer \(BearerToken())"))
        #expect(try wrong.error?.reason == "UNAUTHENTICATED")
        try await accounts.revokeToken(ann.id)
        #expect(try await client.response(to: info(5, authorization: "Bearer \(bob)")).error == nil)
      }
    }
  }

  @Test func calls_whenCredentialsAreRevoked_areRejectedAndWatchesEnd() async throws {
    let token = try await addToken("ann")
    try await withServer { server, access in
      let looking = Task {
        await access.monitorAccounts {
          await Task.yield(); try Task.checkCancellation()
        }
      }
      defer { looking.cancel() }
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try await client.response(to: authenticate(1, "Bearer \(token)")).error == nil)
        #expect(try await client.response(to: watch(3)).type == 3)
        try await accounts.revokeToken(token.id)
        let end = try await client.frame()
        #expect(try end.id == 3 && end.error?.reason == "UNAUTHENTICATED")
        #expect(try await client.response(to: info(5)).error?.reason == "UNAUTHENTICATED")
      }
    }
  }
}
