#if GRPC
import NIOCore
import NIOHPACK
import NIOHTTP2
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRules
import ToDoServer
import ToDoStores

/// Calls over gRPC to a server that requires credentials.
@Suite(.timeLimited) struct GRPCCredentialTests {
  private func withAccounts(
    _ body: (HTTP2TestClient, _ token: String) async throws -> Void
  ) async throws {
    let accounts = MemoryAccountStore()
    try await accounts.addUser(.sample("ann"))
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("ann"), secretHash: token.secretHash, isReadOnly: false,
        createdAt: TestClock().now(), expiresAt: nil))
    let list = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())
    let access = AccountAccess(accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: [])) { _ in
      list
    }
    let health = HealthMonitor(services: [ToDoMethods.service])
    var limits = ServerLimits.patient
    limits.maximumFrameLengthBeforeAuthentication = 8 << 10
    limits.requiresAuthentication = true
    try await GRPCTestServer.with(MethodTable(serving: access, health: health), limits: limits) { server in
      try await HTTP2TestClient.with(server.endpoint) { try await body($0, "Bearer \(token)") }
    }
  }

  private func headers(_ method: String, _ token: String?) -> HPACKHeaders {
    HTTP2TestStream.headers(method, of: ToDoMethods.service, token.map { [("authorization", $0)] } ?? [])
  }

  @Test(arguments: [nil, "Bearer nonsense", "Bearer \(BearerToken())"])
  func call_whenCredentialsAreInvalid_isUnauthenticatedBeforeRequestArrives(_ token: String?) async throws {
    try await withAccounts { client, _ async throws in
      for method in ["AddItem", "WatchItems"] {
        let stream = try await client.open()
        try await stream.send(headers: headers(method, token))
        #expect(try await stream.answer.get().status == .unauthenticated)
      }
    }
  }

  @Test func call_whenCredentialsAreValid_mayHaveLongRequest() async throws {
    try await withAccounts { client, token async throws in
      let stream = try await client.open()
      let content = ItemContent(title: "Milk", itemDescription: String(repeating: "x", count: 60_000))
      let item = NewItem(id: ItemID(high: 1, low: 1), content: content)
      let request = ToDoMethods.addItem.request.encoded(
        AddItemRequest(item: item))
      try await stream.send(headers: headers("AddItem", token))
      try await stream.send(HTTP2TestStream.prefix(request.count) + request, endStream: true)
      #expect(try await stream.answer.get().status == .ok)
    }
  }

  @Test func request_whenMethodNeedsNoCredentials_isLimited_untilAuthenticated() async throws {
    try await withAccounts { client, token async throws in
      let text = String(repeating: "x", count: 9 << 10)
      func check() async throws -> StatusCode? {
        let stream = try await client.open()
        try await stream.send(headers: HTTP2TestStream.headers("Check", of: "grpc.health.v1.Health"))
        try await stream.send(HTTP2TestStream.message(text), endStream: true)
        return try await stream.answer.get().status
      }
      #expect(try await check() == .resourceExhausted)
      let stream = try await client.open()
      try await stream.send(headers: headers("GetServerInfo", token))
      try await stream.send(HTTP2TestStream.prefix(0), endStream: true)
      #expect(try await stream.answer.get().status == .ok)
      #expect(try await check() == .notFound)
    }
  }
}
#endif
