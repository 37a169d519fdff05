import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoServer

/// Access without credentials, which ends when the first user is added.
@Suite(.timeLimited) struct AnonymousAccessTests {
  private let accounts = MemoryAccountStore()

  private func access(
    unixUsers: Set<UInt32> = [], onUsers: @escaping @Sendable () -> Void = {}
  ) -> AccountAccess {
    AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: .local, unixUsers: unixUsers), onUsers: onUsers
    ) { LocalToDoService(store: MemoryToDoItemStore(), owner: $0) }
  }

  private func call(_ peer: Peer = Peer()) -> CallContext {
    CallContext(metadata: Metadata(), connection: CallConnection(peer: peer))
  }

  @Test func anonymousGrant_whenFirstUserIsAdded_isRevoked() async throws {
    let (access, call) = (access(), call())
    let checks = Condition(1000)
    let monitor = Task { await access.monitorAccounts { try await checks.pause() } }
    let grant = try await access.grant(for: call)
    let watch = Task {
      try await access.withGrant(grant, for: call) { try await ContinuousClock().sleep(for: .seconds(3600)) }
    }
    try await accounts.addUser(.sample("ann"))
    await #expect(throws: ToDoError.unauthenticated) { try await watch.value }
    #expect(access.cachedAccess(for: call) == nil)
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call) }
    monitor.cancel()
  }

  @Test func anonymousGrant_whenUserIsAddedBeforeFirstCheck_isRevoked() async throws {
    let (access, call) = (access(), call())
    _ = try await access.grant(for: call)
    try await accounts.addUser(.sample("ann"))
    let checks = Condition(1000)
    let monitor = Task { await access.monitorAccounts { try await checks.pause() } }
    await checks.wait { $0 >= 1002 }
    #expect(access.cachedAccess(for: call) == nil)
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call) }
    monitor.cancel()
  }

  @Test func credentialsRequirement_whenFirstUserIsAdded_isReportedOnce() async throws {
    let (access, count) = (access(), Condition(0))
    access.whenCredentialsAreRequired { count.change { $0 += 1 } }
    let checks = Condition(1000)
    let monitor = Task { await access.monitorAccounts { try await checks.pause() } }
    await checks.wait { $0 >= 1002 }
    #expect(count.value == 0)
    try await accounts.addUser(.sample("ann"))
    await count.wait { $0 == 1 }
    try await accounts.addUser(.sample("bob"))
    let checkCount = checks.value
    await checks.wait { $0 >= checkCount + 2 }
    #expect(count.value == 1)
    access.whenCredentialsAreRequired { count.change { $0 += 1 } }
    #expect(count.value == 2)
    monitor.cancel()
  }

  // The list that all callers share has no write rate limit until then.
  @Test func users_whenFirstIsAdded_areReported() async throws {
    let users = Condition(0)
    let access = access { users.change { $0 += 1 } }
    _ = try await access.grant(for: call())
    #expect(users.value == 0)
    try await accounts.addUser(.sample("ann"))
    let checks = Condition(1000)
    let monitor = Task { await access.monitorAccounts { try await checks.pause() } }
    await users.wait { $0 > 0 }
    monitor.cancel()
  }

  @Test func users_whenTheyHaveBeenRemoved_areReportedAtFirstCall() async throws {
    try await accounts.addUser(.sample("ann"))
    _ = try await accounts.removeUser(.sample("ann"))
    let users = Condition(0)
    let access = access { users.change { $0 += 1 } }
    await #expect(throws: ToDoError.unauthenticated) { try await access.grant(for: call()) }
    #expect(users.value > 0)
  }

  @Test func anonymousCall_afterLastUserIsRemoved_isRejected() async throws {
    try await accounts.addUser(.sample("ann"))
    _ = try await accounts.removeUser(.sample("ann"))
    await #expect(throws: ToDoError.unauthenticated) { try await access().grant(for: call()) }
  }

  @Test func unixUser_whenFirstUserIsAdded_keepsSharedList() async throws {
    let (access, call) = (access(unixUsers: [1000]), call(Peer(unixUser: 1000)))
    #expect(try await access.grant(for: call).owner == .local)
    try await accounts.addUser(.sample("ann"))
    #expect(try await access.grant(for: call).owner == .local)
  }
}
