import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import ToDoServer

/// Calls with invalid tokens: their cost to the store, to their connection and to other callers.
@Suite(.timeLimited) struct InvalidTokenTests {
  private static let attacker = NetworkAddress.v4(0xC000_0201)
  private static let other = NetworkAddress.v4(0xC000_0202)

  private let accounts = CountingAccountStore()
  private let clock = ManualClock()

  private func access() -> AccountAccess {
    let (clock, start) = (clock, ContinuousClock.now)
    return AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []), clock: TestClock(),
      now: { start + clock.now.offset }
    ) { LocalToDoService(store: MemoryToDoItemStore(), owner: $0) }
  }

  private func call(
    _ token: BearerToken?, from address: NetworkAddress = attacker, strikes: Condition<Int> = Condition(0)
  ) -> CallContext {
    call(
      token,
      on: CallConnection(peer: Peer(address: address), rejectedCredentials: { strikes.change { $0 += 1 } }))
  }

  private func call(_ token: BearerToken?, on connection: CallConnection) -> CallContext {
    var metadata = Metadata()
    if let token { metadata.append("authorization", "Bearer \(token)") }
    return CallContext(metadata: metadata, connection: connection)
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

  /// Fails until the address has to wait.
  private func exhaust(_ access: AccountAccess) async {
    let limits = FailedAttempts<AttemptSource>.Limits()
    for _ in 0...limits.freeFailures {
      await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(BearerToken())) }
    }
  }

  @Test func invalidToken_isStrike_unlikeMissingCredentials() async throws {
    let (access, strikes) = (access(), Condition(0))
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(nil, strikes: strikes)) }
    #expect(strikes.value == 0)
    await #expect(throws: ToDoError.unauthenticated) {
      try await access.grant(for: call(BearerToken(), strikes: strikes))
    }
    #expect(strikes.value == 1)
    _ = try? await access.grant(for: call(BearerToken()))
    while true {
      do { _ = try await access.grant(for: call(BearerToken())) } catch ToDoError.tooManyFailedAttempts {
        break
      } catch {}
    }
    await #expect(throws: ToDoError.self) { try await access.grant(for: call(BearerToken(), strikes: strikes)) }
    #expect(strikes.value == 2)
  }

  @Test func invalidTokens_whenRepeatedByAddress_backOff() async throws {
    let access = access()
    await exhaust(access)
    for seconds in [1, 2, 4] {
      await #expect(throws: ToDoError.tooManyFailedAttempts(retryAfter: .seconds(seconds))) {
        try await access.grant(for: call(BearerToken()))
      }
      await #expect(throws: ToDoError.unauthenticated) {
        try await access.grant(for: call(BearerToken(), from: Self.other))
      }
      clock.advance(by: .seconds(seconds))
      await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(BearerToken())) }
    }
  }

  @Test func token_whenNoReadIsRequired_isAcceptedOrRejectedAtOnce() async throws {
    let (token, access) = (try await addToken("ann"), access())
    // Nothing is known before the first read.
    guard case .pending(let work) = try access.lookUpGrant(for: call(token)) else {
      Issue.record("the accounts are known before they are read")
      return
    }
    _ = try await work()
    guard case .ready(let grant) = try access.lookUpGrant(for: call(token)) else {
      Issue.record("a valid token requires a read")
      return
    }
    #expect(grant.owner == User.sample("ann").list)
    #expect(throws: ToDoError.unauthenticated) { try access.lookUpGrant(for: call(nil)) }
    await exhaust(access)
    #expect(throws: ToDoError.tooManyFailedAttempts(retryAfter: .seconds(1))) {
      try access.lookUpGrant(for: call(BearerToken()))
    }
  }

  @Test func validToken_whenAddressBacksOff_isAccepted() async throws {
    let token = try await addToken("ann")
    let access = access()
    await exhaust(access)
    let reads = accounts.reads.value
    #expect(try await access.grant(for: call(token)).owner == User.sample("ann").list)
    #expect(accounts.reads.value == reads)
  }

  // A proxy sends the calls of several callers over one connection, from its own address.
  @Test func invalidTokens_onConnectionOfValidOne_backOff_andValidOneIsAccepted() async throws {
    let (ann, access) = (try await addToken("ann"), access())
    let connection = CallConnection(peer: Peer(address: Self.attacker))
    func call(_ token: BearerToken) -> CallContext { self.call(token, on: connection) }
    func expectAnn() throws {
      guard case .ready(let grant) = try access.lookUpGrant(for: call(ann)) else {
        Issue.record("a valid token waits")
        return
      }
      #expect(grant.owner == User.sample("ann").list)
    }
    #expect(try await access.grant(for: call(ann)).owner == User.sample("ann").list)
    for _ in 0...FailedAttempts<AttemptSource>.Limits().freeFailures {
      await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(BearerToken())) }
      try expectAnn()
    }
    let reads = accounts.reads.value
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      // However many tokens are tried during a delay, none is looked up.
      for _ in 0..<10 {
        await #expect(throws: ToDoError.tooManyFailedAttempts(retryAfter: .seconds(seconds))) {
          try await access.grant(for: call(BearerToken()))
        }
        try expectAnn()
      }
      clock.advance(by: .seconds(seconds))
      await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(BearerToken())) }
      try expectAnn()
    }
    #expect(accounts.reads.value == reads + 8)
  }

  @Test func newToken_beforeNextCheck_isAccepted() async throws {
    let access = access()
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(BearerToken())) }
    let token = try await addToken("ann")
    #expect(try await access.grant(for: call(token)).owner == User.sample("ann").list)
  }

  @Test func invalidToken_whenRepeated_readsStoreOnce() async throws {
    let (access, token) = (access(), BearerToken())
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(token)) }
    let reads = accounts.reads.value
    for _ in 0..<5 {
      await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(token)) }
    }
    #expect(accounts.reads.value == reads)
    _ = try await addToken("ann")
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(token)) }
    #expect(accounts.reads.value == reads)
  }

  @Test func invalidTokens_whenConcurrent_shareReads() async throws {
    let access = access()
    _ = try? await access.grant(for: call(nil))
    accounts.gate.change { $0 = false }
    let reads = accounts.reads.value
    await withTaskGroup { group in
      for number in 0..<100 {
        let call = call(BearerToken(), from: .v4(UInt32(number)))
        group.addTask { await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call) } }
      }
      await accounts.reads.wait { $0 > reads }
      for _ in 0..<1000 { await Task.yield() }
      accounts.gate.change { $0 = true }
    }
    #expect(accounts.reads.value - reads < 50)
  }

  @Test func revocation_duringFloodOfInvalidTokens_takesEffectAtNextCheck() async throws {
    let (ann, bob) = (try await addToken("ann"), try await addToken("bob"))
    let access = access()
    let (checks, isOver) = (Condition(1000), Condition(false))
    let monitor = Task { await access.monitorAccounts { try await checks.pause() } }
    await withTaskGroup { group in
      for connection in 0..<40 {
        group.addTask {
          while !isOver.value {
            _ = try? await access.grant(for: call(BearerToken(), from: .v6(UInt64(connection))))
            await Task.yield()
          }
        }
      }
      do {
        let annsCall = call(ann)
        _ = try await access.grant(for: annsCall)
        try await accounts.revokeToken(ann.id)
        let count = checks.value
        // One check may have been in progress.
        await checks.wait { $0 >= count + 2 }
        #expect(access.cachedAccess(for: annsCall) == nil)
        await #expect(throws: (any Error).self) { try await access.grant(for: annsCall) }
        #expect(try await access.grant(for: call(bob)).owner == User.sample("bob").list)
      } catch { Issue.record(error) }
      isOver.change { $0 = true }
    }
    monitor.cancel()
  }
}

/// A store in memory that counts the reads of its version and of its accounts, and can hold them up.
private final class CountingAccountStore: AccountStore {
  let reads = Condition(0)
  /// Reads wait until it is true.
  let gate = Condition(true)
  private let store = MemoryAccountStore()

  func accounts() async throws -> Accounts {
    await read()
    return try await store.accounts()
  }

  func accountVersion() async throws -> Int64 {
    await read()
    return try await store.accountVersion()
  }

  private func read() async {
    reads.change { $0 += 1 }
    await gate.wait { $0 }
  }

  func users() async throws -> [User] { try await store.users() }
  func addUser(_ user: User) async throws { try await store.addUser(user) }
  func removeUser(_ name: UserName) async throws -> User { try await store.removeUser(name) }
  func user(_ key: UserKey) async throws -> User? { try await store.user(key) }
  func users(withList list: OwnerID) async throws -> [User] { try await store.users(withList: list) }
  func tokens() async throws -> [AccessToken] { try await store.tokens() }
  func addToken(_ token: AccessToken) async throws { try await store.addToken(token) }
  func revokeToken(_ id: AccessTokenID) async throws { try await store.revokeToken(id) }
  func token(_ id: AccessTokenID) async throws -> AccessToken? { try await store.token(id) }
}
