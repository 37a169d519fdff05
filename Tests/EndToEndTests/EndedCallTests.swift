import Testing
import ToDoClient
import ToDoModel
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

#if GRPC
import NIOCore
import NIOHPACK
import ToDoProtocol
#endif

/// Calls that wait while the access of their caller ends.
@Suite(.timeLimited) struct EndedCallTests {
  /// A geocoder that answers only when its task is canceled.
  private struct SilentGeocoder: Geocoder {
    let attribution = ""
    let isAsked = Condition(false)

    func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
      isAsked.change { $0 = true }
      await Condition(false).wait { $0 }
      return []
    }
  }

  private let geocoder = SilentGeocoder()
  private let items = MemoryToDoItemStore()
  private let clock = TestClock()
  private let item = NewItem(
    id: TestClient.id, content: ItemContent(title: "Secret", location: Location(address: "Somewhere 1")))

  /// Serves the list of a user with a token that expires in a minute, while the server checks the accounts.
  private func withAccess(
    _ body: (AccountAccess, MemoryAccountStore, _ token: BearerToken) async throws -> Void
  ) async throws {
    let accounts = MemoryAccountStore(lists: items)
    try await accounts.addUser(.sample("eve"))
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("eve"), secretHash: token.secretHash, isReadOnly: false, createdAt: clock.now(),
        expiresAt: Timestamp(microseconds: clock.now().microseconds + 60_000_000)))
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []), clock: clock
    ) { [items, geocoder] in LocalToDoService(store: items, geocoder: geocoder, owner: $0) }
    let monitor = Task {
      await access.monitorAccounts {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
    defer { monitor.cancel() }
    try await body(access, accounts, token)
  }

  private func end(_ token: BearerToken, _ accounts: MemoryAccountStore, byExpiry: Bool) async throws {
    if byExpiry { clock.advance(by: .seconds(60)) } else { try await accounts.revokeToken(token.id) }
  }

  private func configuration(_ token: BearerToken) -> ToDoClient.Configuration {
    var configuration = TestClient.configuration()
    configuration.token = token.description
    return configuration
  }

  @Test(arguments: [false, true])
  func call_whenTokenEndsWhileItWaitsForGeocoder_isUnauthenticated(byExpiry: Bool) async throws {
    try await withAccess { access, accounts, token in
      let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
      try await TestServer.with(methods) { server in
        let client = server.client(configuration(token))
        let add = Task { [item] in try await client.addItem(item) }
        await geocoder.isAsked.wait { $0 }
        try await end(token, accounts, byExpiry: byExpiry)
        await #expect(throws: ToDoError.unauthenticated) { try await add.value }
        #expect(try await items.items(ItemSelection(limit: 1), of: User.sample("eve").list).items.isEmpty)
        await client.close()
      }
    }
  }

  @Test func call_whenAnotherTokenEndsWhileItWaits_continues() async throws {
    try await withAccess { access, accounts, token in
      let other = BearerToken()
      try await accounts.addToken(
        AccessToken(
          id: other.id, user: .sample("eve"), secretHash: other.secretHash, isReadOnly: false, createdAt: clock.now(),
          expiresAt: nil))
      let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
      try await TestServer.with(methods) { server in
        let (first, second) = (
          server.client(configuration(token)), server.client(configuration(other))
        )
        let geocode = Task { try await first.geocode(GeocodeQuery(address: "Somewhere 1")) }
        await geocoder.isAsked.wait { $0 }
        let add = Task { [item] in try await second.addItem(item) }
        try await accounts.revokeToken(token.id)
        await #expect(throws: ToDoError.unauthenticated) { try await geocode.value }
        #expect(try await second.items(ItemQuery()).items.isEmpty)
        add.cancel()
        await #expect(throws: CancellationError.self) { try await add.value }
        for client in [first, second] { await client.close() }
      }
    }
  }

  #if GRPC
  @Test(arguments: [false, true])
  func grpcCall_whenTokenEndsWhileItWaitsForGeocoder_isUnauthenticated(byExpiry: Bool) async throws {
    try await withAccess { access, accounts, token in
      let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
      try await GRPCTestServer.with(methods) { server in
        try await HTTP2TestClient.with(server.endpoint) { client in
          let stream = try await client.open()
          let authorization = [("authorization", "Bearer \(token)")]
          try await stream.send(
            headers: HTTP2TestStream.headers("AddItem", of: ToDoMethods.service, authorization))
          let request = AddItemRequest(item: item)
          let bytes = ToDoMethods.addItem.request.encoded(request)
          try await stream.send(HTTP2TestStream.prefix(bytes.count) + bytes, endStream: true)
          await geocoder.isAsked.wait { $0 }
          try await end(token, accounts, byExpiry: byExpiry)
          #expect(try await stream.answer.get().status == .unauthenticated)
        }
      }
    }
  }
  #endif
}
