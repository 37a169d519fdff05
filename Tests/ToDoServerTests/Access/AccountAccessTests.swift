import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoServer

/// Access control by accounts and policy, without a network.
@Suite(.timeLimited) struct AccountAccessTests {
  private let accounts = MemoryAccountStore()
  private let clock = TestClock()
  private let store = MemoryToDoItemStore()

  private func access(
    anonymous: OwnerID? = nil, unixUsers: Set<UInt32> = []
  ) -> AccountAccess {
    AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: anonymous, unixUsers: unixUsers), clock: clock
    ) { [store] in LocalToDoService(store: store, owner: $0) }
  }

  private func call(_ authorization: String? = nil, _ peer: Peer = Peer()) -> CallContext {
    var metadata = Metadata()
    if let authorization { metadata.append("authorization", authorization) }
    return CallContext(metadata: metadata, connection: CallConnection(peer: peer))
  }

  private func addToken(_ name: String = "ann", isReadOnly: Bool = false, expiresIn: Duration? = nil) async throws
    -> BearerToken
  {
    if try await accounts.user(.name(.sample(name))) == nil { try await accounts.addUser(.sample(name)) }
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample(name), secretHash: token.secretHash, isReadOnly: isReadOnly, createdAt: clock.now(),
        expiresAt: expiresIn.map {
          Timestamp(microseconds: clock.now().microseconds + $0.components.seconds * 1_000_000)
        }))
    return token
  }

  @Test(arguments: ["Bearer ", "bearer ", "BEARER  "])
  func token_whenValid_authenticatesItsUser(_ scheme: String) async throws {
    let token = try await addToken()
    let grant = try await access().grant(for: call("\(scheme)\(token)"))
    #expect(grant.owner == User.sample("ann").list)
    #expect(!grant.isReadOnly)
  }

  @Test func invalidCredentials_whenNoneAreRequired_areRejected() async throws {
    let token = try await addToken()
    let other = BearerToken()
    let forged = "todo_\(token.id)_" + other.description.suffix(64)
    for wrong in [
      "", "Bearer", "Bearer ", "Basic \(token)", "\(token)", "Bearer \(other)", "Bearer \(forged)", "Bearer \(token) x",
    ] {
      for access in [access(), access(anonymous: .local)] {
        await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call(wrong)) }
      }
    }
  }

  @Test func access_withoutCredentials_followsPolicy() async throws {
    await #expect(throws: ToDoError.unauthenticated) { try await access().grant(for: call()) }
    #expect(try await access(anonymous: OwnerID("all")).grant(for: call()).owner == OwnerID("all"))
  }

  @Test func token_whenExpired_isRejected() async throws {
    let token = try await addToken(expiresIn: .seconds(60))
    let (access, call) = (access(), call("Bearer \(token)"))
    _ = try await access.grant(for: call)
    #expect(access.cachedAccess(for: call) != nil)
    clock.advance(by: .seconds(60))
    #expect(access.cachedAccess(for: call) == nil)
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call) }
  }

  @Test func readOnlyToken_whenListIsChanged_isRejected() async throws {
    let token = try await addToken(isReadOnly: true)
    let (access, call) = (access(), call("Bearer \(token)"))
    let grant = try await access.grant(for: call)
    #expect(throws: ToDoError.readOnly) { try grant.listToChange(for: call) }
  }

  @Test func unixUser_isAuthenticatedByPolicy() async throws {
    try await accounts.addUser(.sample("ann", unixUser: 1000))
    try await accounts.addUser(.sample("eve", unixUser: 6666))
    let access = access(unixUsers: [0, 1000])
    #expect(try await access.grant(for: call(nil, Peer(unixUser: 1000))).owner == User.sample("ann").list)
    #expect(try await access.grant(for: call(nil, Peer(unixUser: 0))).owner == .local)
    for unixUser in [1001, 6666] as [UInt32] {
      await #expect(throws: ToDoError.unauthenticated) {
        try await access.grant(for: call(nil, Peer(unixUser: unixUser)))
      }
    }
  }

  @Test func certificate_authenticatesOnlyItsUser() async throws {
    try await accounts.addUser(.sample("ann", certificate: "CN=ann"))
    let access = access(anonymous: .local)
    #expect(
      try await access.grant(for: call(nil, Peer(certificateSubject: "CN=ann"))).owner == User.sample("ann").list)
    await #expect(throws: ToDoError.unauthenticated) {
      try await access.grant(for: call(nil, Peer(certificateSubject: "CN=Ann")))
    }
  }

  @Test func certificate_whenSubjectIsOnlyCanonicallyEquivalent_isRejected() async throws {
    try await accounts.addUser(.sample("kate", certificate: "CN=Kate"))
    let access = access(anonymous: .local)
    await #expect(throws: ToDoError.unauthenticated) {
      try await access.grant(for: call(nil, Peer(certificateSubject: "CN=\u{212A}ate")))
    }
  }

  @Test func certificate_whenExpired_endsItsGrant() async throws {
    try await accounts.addUser(.sample("ann", certificate: "CN=ann"))
    let expiry = clock.now().microseconds / 1_000_000 + 60
    let access = access()
    let call = call(nil, Peer(certificateSubject: "CN=ann", certificateExpiry: expiry))
    let checks = Condition(1000)
    let monitor = Task { await access.monitorAccounts { try await checks.pause() } }
    let grant = try await access.grant(for: call)
    #expect(grant.expiresAt == Timestamp(microseconds: expiry * 1_000_000))
    let watch = Task {
      try await access.withGrant(grant, for: call) { try await ContinuousClock().sleep(for: .seconds(3600)) }
    }
    clock.advance(by: .seconds(60))
    await #expect(throws: ToDoError.unauthenticated) { try await watch.value }
    #expect(access.cachedAccess(for: call) == nil)
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call) }
    monitor.cancel()
  }

  @Test func token_takesPrecedenceOverPeer() async throws {
    let token = try await addToken("bob")
    try await accounts.addUser(.sample("ann", unixUser: 1000, certificate: "CN=ann"))
    let peer = Peer(unixUser: 1000, certificateSubject: "CN=ann")
    #expect(try await access().grant(for: call("Bearer \(token)", peer)).owner == User.sample("bob").list)
  }

  @Test func calls_onOneConnection_haveTheirOwnCallers() async throws {
    let (ann, bob) = (try await addToken("ann"), try await addToken("bob"))
    let (access, connection) = (access(), CallConnection(peer: Peer()))
    for (token, name) in [(ann, "ann"), (bob, "bob"), (ann, "ann")] {
      var metadata = Metadata()
      metadata.append("authorization", "Bearer \(token)")
      let grant = try await access.grant(for: CallContext(metadata: metadata, connection: connection))
      #expect(grant.owner == User.sample(name).list)
    }
    await #expect(throws: ToDoError.unauthenticated) {
      try await access.grant(for: CallContext(metadata: Metadata(), connection: connection))
    }
  }

  @Test func cachedGrant_whenAccountsChange_isInvalidated() async throws {
    let token = try await addToken()
    let (access, call) = (access(), call("Bearer \(token)"))
    let checks = Condition(0)
    let watching = Task {
      await access.monitorAccounts { try await checks.pause() }
    }
    _ = try await access.grant(for: call)
    await checks.wait { $0 >= 1 }
    #expect(access.cachedAccess(for: call) != nil)
    try await accounts.revokeToken(token.id)
    checks.change { $0 += 1000 }
    await checks.wait { $0 >= 1003 }
    #expect(access.cachedAccess(for: call) == nil)
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call) }
    watching.cancel()
  }

  @Test(arguments: [false, true])
  func watch_whenCredentialsEnd_fails(byExpiry: Bool) async throws {
    let token = try await addToken(expiresIn: .seconds(60))
    let (access, call) = (access(), call("Bearer \(token)"))
    let checks = Condition(1000)
    let watching = Task { await access.monitorAccounts { try await checks.pause() } }
    let grant = try await access.grant(for: call)
    let watch = Task {
      try await access.withGrant(grant, for: call) { try await ContinuousClock().sleep(for: .seconds(3600)) }
    }
    if byExpiry { clock.advance(by: .seconds(60)) } else { try await accounts.revokeToken(token.id) }
    await #expect(throws: ToDoError.unauthenticated) { try await watch.value }
    watching.cancel()
  }

  @Test func watch_whenOtherAccountsChange_continues() async throws {
    let (token, done) = (try await addToken(), Condition(false))
    let (access, call) = (access(), call("Bearer \(token)"))
    let checks = Condition(1000)
    let watching = Task { await access.monitorAccounts { try await checks.pause() } }
    let grant = try await access.grant(for: call)
    let watch = Task { try await access.withGrant(grant, for: call) { await done.wait { $0 } } }
    try await accounts.addUser(.sample("bob"))
    let count = checks.value
    await checks.wait { $0 >= count + 3 }
    done.change { $0 = true }
    try await watch.value
    watching.cancel()
  }
}

extension Condition<Int> {
  /// Counts the checks of the accounts. A count below 1000 stops the monitor at its next check; a greater one does not.
  func pause() async throws {
    change { $0 += 1 }
    await wait { $0 >= 1000 }
    try Task.checkCancellation()
    await Task.yield()
  }
}
