import NIOCore
import NIOEmbedded
import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoServer

/// Connections whose credentials expire or are revoked count as unauthenticated again.
@Suite(.timeLimited) struct EndedAuthenticationTests {
  private let accounts = MemoryAccountStore()
  private let clock = TestClock()

  private var access: AccountAccess {
    AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []), clock: clock
    ) { LocalToDoService(store: MemoryToDoItemStore(), owner: $0) }
  }

  private func addToken(_ name: String, expiresIn: Duration? = nil) async throws -> BearerToken {
    if try await accounts.user(.name(.sample(name))) == nil { try await accounts.addUser(.sample(name)) }
    let token = BearerToken()
    let expiry = expiresIn.map { clock.now().microseconds + $0.components.seconds * 1_000_000 }
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample(name), secretHash: token.secretHash, isReadOnly: false, createdAt: clock.now(),
        expiresAt: expiry.map { Timestamp(microseconds: $0) }))
    return token
  }

  /// A connection's account, and a call on the connection with each token.
  private func calls(_ tokens: [BearerToken]) -> (ConnectionAccount, [CallContext]) {
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    let account = ConnectionLimiter(limits).account(of: NIOAsyncTestingChannel())
    let connection = CallConnection(peer: Peer(), account: account)
    let calls = tokens.map { token in
      var metadata = Metadata()
      metadata.append("authorization", "Bearer \(token)")
      return CallContext(metadata: metadata, connection: connection)
    }
    return (account, calls)
  }

  /// Watches the accounts during `body`, which can wait until the next changes were seen.
  private func watching(_ access: AccountAccess, _ body: (_ seeChanges: () async -> Void) async throws -> Void)
    async throws
  {
    let checks = Condition(1000)
    let monitor = Task { await access.monitorAccounts { try await checks.pause() } }
    defer { monitor.cancel() }
    try await body {
      let count = checks.value
      await checks.wait { $0 >= count + 3 }
    }
  }

  @Test(arguments: [false, true])
  func connection_whenTokenEnds_isUnauthenticated(byExpiry: Bool) async throws {
    let (token, other) = (try await addToken("ann", expiresIn: .seconds(60)), try await addToken("bob"))
    let access = access
    let ((account, calls), (otherAccount, otherCalls)) = (calls([token]), calls([other]))
    try await watching(access) { seeChanges in
      for call in calls + otherCalls { _ = try await access.grant(for: call) }
      await seeChanges()
      #expect(account.isAuthenticated && otherAccount.isAuthenticated)
      if byExpiry { clock.advance(by: .seconds(60)) } else { try await accounts.revokeToken(token.id) }
      await seeChanges()
      #expect(!account.isAuthenticated)
      #expect(otherAccount.isAuthenticated)
      await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: calls[0]) }
      #expect(!account.isAuthenticated)
    }
  }

  @Test func connection_whenItPresentsValidToken_isAuthenticatedAgain() async throws {
    let (ann, bob) = (try await addToken("ann"), try await addToken("bob"))
    let access = access
    let (account, calls) = calls([ann, bob])
    try await watching(access) { seeChanges in
      _ = try await access.grant(for: calls[0])
      try await accounts.revokeToken(ann.id)
      await seeChanges()
      #expect(!account.isAuthenticated)
      _ = try await access.grant(for: calls[1])
      #expect(account.isAuthenticated)
    }
  }

  @Test(arguments: [false, true])
  func connection_whenWatchHasValidToken_remainsAuthenticated(byExpiry: Bool) async throws {
    let (ann, bob) = (try await addToken("ann", expiresIn: .seconds(60)), try await addToken("bob"))
    let (access, done) = (access, Condition(false))
    let (account, calls) = calls([ann, bob])
    try await watching(access) { seeChanges in
      let grant = try await access.grant(for: calls[1])
      let watch = Task { try await access.withGrant(grant, for: calls[1]) { await done.wait { $0 } } }
      await seeChanges()
      _ = try await access.grant(for: calls[0])
      if byExpiry { clock.advance(by: .seconds(60)) } else { try await accounts.revokeToken(ann.id) }
      await seeChanges()
      // The watch notices the change in a task of its own.
      await waitUntil("the account is authenticated") { account.isAuthenticated }
      #expect(account.isAuthenticated)
      done.change { $0 = true }
      try await watch.value
    }
  }

  @Test func connections_whenClosed_areRemoved() {
    let connections = AuthenticatedConnections()
    // All exist at once, so that no two have the same address.
    var closing = (0..<1000).map { _ in CallConnection(peer: Peer()) }
    let open = (0..<1000).map { _ in CallConnection(peer: Peer()) }
    for connection in closing { connections.insert(connection, expiresAt: nil) }
    #expect(connections.entryCount == 1000)
    closing = []
    for connection in open { connections.insert(connection, expiresAt: nil) }
    #expect(connections.entryCount < 1100)
    #expect(connections.all.count == 1000)
  }
}
