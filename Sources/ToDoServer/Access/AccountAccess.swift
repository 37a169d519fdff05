public import Logging
package import RPC
import Synchronization
public import ToDoModel
public import ToDoRules

/// Lets users in who show a token, a certificate or that they are a certain Unix user, and others as a policy says.
///
/// What a caller showed is looked up once a connection, and again after every change of users and tokens, which is seen
/// within a quarter of a second. Lookups use a copy of the accounts in memory and never wait for the store, except for
/// credentials that the copy does not have.
///
/// Invalid tokens are limited by the caller's network address. The limit never applies to a valid token.
public final class AccountAccess: Sendable {
  private let accounts: AccountCache
  private let policy: AccessPolicy
  private let lists: @Sendable (OwnerID) -> any ToDoService
  private let clock: any WallClock
  private let attempts: AttemptLimiter
  private let watchers: GrantMonitor
  private let requirement: CredentialsRequirement
  private let connections = AuthenticatedConnections()

  /// - Parameters:
  ///   - logger: where failed authentication attempts and the end of anonymous access are logged.
  ///   - now: the present instant of a monotonic clock.
  ///   - lists: the list of each owner.
  public init(
    accounts: any AccountStore, policy: AccessPolicy, clock: any WallClock = SystemWallClock(),
    logger: Logger = Logger(label: "todo.server") { _ in SwiftLogNoOpLogHandler() },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    lists: @escaping @Sendable (OwnerID) -> any ToDoService
  ) {
    self.policy = policy
    self.clock = clock
    self.lists = lists
    let watchers = GrantMonitor()
    let requirement = CredentialsRequirement(isRequired: policy.anonymousList == nil)
    attempts = AttemptLimiter(logger: logger, now: now)
    self.accounts = AccountCache(accounts) { accounts in
      if accounts.hasHadUsers, requirement.require() {
        logger.notice("anonymous access has ended, because the server has users")
      }
      watchers.forgetAdmissions()
    }
    self.watchers = watchers
    self.requirement = requirement
  }

  /// Looks for changes of users and tokens until its task is cancelled.
  ///
  /// - Parameter pause: what passes between two looks.
  public func monitorAccounts(
    pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(250)) }
  ) async {
    var version: Int64?
    repeat {
      // While the store cannot be read, the accounts stay as they were last read.
      _ = try? await accounts.refreshed()
      if let accounts = try? await accounts.current() {
        let now = clock.now()
        revalidate(accounts.version == version ? connections.takeExpired(at: now) : connections.all, in: accounts)
        version = accounts.version
      }
      watchers.wakeExpired(at: clock.now())
      attempts.report()
    } while (try? await pause()) != nil
    attempts.report(isFinal: true)
  }
}

extension AccountAccess: AccessControl {
  /// What was found out about a connection's calls.
  private final class Memory: Sendable {
    /// What they showed.
    let authorization: String?
    let admission: AccessGrant
    let epoch: Int

    init(authorization: String?, admission: AccessGrant, epoch: Int) {
      self.authorization = authorization
      self.admission = admission
      self.epoch = epoch
    }
  }

  package func cachedGrant(for call: CallContext) -> AccessGrant? {
    guard let memory = call.connection.memory.withLock({ $0 as? Memory }), memory.epoch == watchers.epoch,
      memory.authorization == call.metadata[CallContext.authorizationKey]
    else { return nil }
    if let expiresAt = memory.admission.expiresAt, expiresAt <= clock.now() { return nil }
    return memory.admission
  }

  /// - Throws: `ToDoError.tooManyFailedAttempts` besides, for an invalid token from an address that has to wait.
  package func authenticate(_ call: CallContext) async throws -> AccessGrant {
    // The first read of the accounts begins an epoch.
    _ = try await accounts.current()
    // Before the look-up: what changes meanwhile is then looked up again.
    let epoch = watchers.epoch
    let authorization = call.metadata[CallContext.authorizationKey]
    let admission =
      if let authorization { try await authenticate(authorization, call) } else {
        try await authenticate(call.connection.peer)
      }
    remember(admission, of: call, epoch)
    // The accounts have changed, and the connection may not have been among those that were checked then.
    if watchers.epoch != epoch { revalidate([call.connection], in: try await accounts.current()) }
    return admission
  }

  private func remember(_ admission: AccessGrant, of call: CallContext, _ epoch: Int) {
    let authorization = call.metadata[CallContext.authorizationKey]
    // A caller without credentials stays unauthenticated, even where the policy admits it.
    let isAuthenticated = authorization != nil || call.connection.peer.isIdentified
    call.connection.memory.withLock { memory in
      memory = Memory(authorization: authorization, admission: admission, epoch: epoch)
      if isAuthenticated { call.authenticated(as: admission.owner.name) }
    }
    if isAuthenticated { connections.insert(call.connection, expiresAt: admission.expiresAt) }
  }

  /// Makes connections unauthenticated whose last credentials are no longer valid. A watch with other credentials that are
  /// valid authenticates its connection again.
  private func revalidate(_ connections: [CallConnection], in accounts: AccountIndex) {
    let ended = connections.filter { connection in
      connection.memory.withLock { memory in
        guard let known = memory as? Memory, grant(known.authorization, connection.peer, in: accounts) == nil else {
          return false
        }
        memory = nil
        connection.endAuthentication()
        return true
      }
    }
    if !ended.isEmpty { watchers.wakeAll() }
  }

  package func watch(_ admission: AccessGrant, of call: CallContext) async throws {
    guard admission.isRevocable else { return await watchers.waitForCancellation() }
    var current = admission
    while !Task.isCancelled {
      let epoch = watchers.epoch
      let owner = current.owner
      let accounts = try await accounts.current()
      // The credentials are invalid now, or another user's.
      let authorization = call.metadata[CallContext.authorizationKey]
      guard let grant = grant(authorization, call.connection.peer, in: accounts), grant.owner == owner else {
        throw ToDoError.unauthenticated
      }
      current = grant
      // The connection's last credentials may have been others, which are no longer valid.
      if call.connection.memory.withLock({ ($0 as? Memory)?.epoch }) != epoch { remember(grant, of: call, epoch) }
      await watchers.waitForChange(after: epoch, orExpiry: current.expiresAt)
    }
  }

  package func whenCredentialsAreRequired(_ body: @escaping @Sendable () -> Void) {
    requirement.observe(body)
  }

  // MARK: Credentials

  /// Authenticates a call that presents a token.
  private func authenticate(_ authorization: String, _ call: CallContext) async throws -> AccessGrant {
    let peer = call.connection.peer
    if let grant = grant(authorization, peer, in: try await accounts.current()) { return grant }
    let source = AttemptSource(peer)
    do { try attempts.check(source) } catch {
      call.rejectedCredentials()
      throw error
    }
    if !accounts.isKnownInvalid(authorization) {
      // The token may have been added since the accounts were read.
      let accounts = try await accounts.refreshed()
      if let grant = grant(authorization, peer, in: accounts) { return grant }
      self.accounts.rememberInvalid(authorization, at: accounts.version)
    }
    attempts.recordFailure(of: source)
    call.rejectedCredentials()
    throw ToDoError.unauthenticated
  }

  /// Authenticates a call without a token by its connection.
  private func authenticate(_ peer: Peer) async throws -> AccessGrant {
    if let grant = grant(nil, peer, in: try await accounts.current()) { return grant }
    // The certificate's user may have been added since the accounts were read. Other peers gain nothing by that.
    guard peer.certificateSubject != nil, let grant = grant(nil, peer, in: try await accounts.refreshed()) else {
      throw ToDoError.unauthenticated
    }
    return grant
  }

  /// Returns the grant for a call's credentials, or `nil` if they are missing or invalid.
  private func grant(_ authorization: String?, _ peer: Peer, in accounts: AccountIndex) -> AccessGrant? {
    if let authorization { return grant(bearing: authorization, in: accounts) }
    if let subject = peer.certificateSubject {
      let expiresAt = peer.certificateExpiry.map { Timestamp(microseconds: $0 * 1_000_000) }
      if let expiresAt, expiresAt <= clock.now() { return nil }
      return accounts[.certificateSubject(subject)].map { grant(for: $0, expiresAt: expiresAt) }
    }
    if let unixUser = peer.unixUser {
      guard policy.unixUsers.contains(unixUser) else { return nil }
      if let user = accounts[.unixUser(unixUser)] { return grant(for: user) }
      // Revocable, as the Unix user can become a user of the server.
      return AccessGrant(list: lists(policy.unixList), owner: policy.unixList, isRevocable: true)
    }
    guard let owner = policy.anonymousList, !accounts.hasHadUsers else { return nil }
    // Revocable, as the first user ends anonymous access.
    return AccessGrant(list: lists(owner), owner: owner, isRevocable: true)
  }

  private func grant(bearing authorization: String, in accounts: AccountIndex) -> AccessGrant? {
    guard let text = authorization.bearerToken, let bearer = BearerToken(text) else { return nil }
    let token = accounts[bearer.id]
    // A token that there is not takes as long to refuse as one with another secret.
    let isRight = bearer.hasHash(token?.secretHash ?? Self.nobodysHash)
    guard let token, isRight, !token.isExpired(at: clock.now()), let user = accounts[.name(token.user)] else {
      return nil
    }
    return grant(for: user, isReadOnly: token.isReadOnly, expiresAt: token.expiresAt)
  }

  private static let nobodysHash = [UInt8](repeating: 0, count: 32)

  private func grant(for user: User, isReadOnly: Bool = false, expiresAt: Timestamp? = nil) -> AccessGrant {
    AccessGrant(
      list: lists(user.list), owner: user.list, isReadOnly: isReadOnly, isRevocable: true, expiresAt: expiresAt)
  }
}

extension String {
  /// What follows the scheme `Bearer`, whose case does not matter.
  fileprivate var bearerToken: String? {
    let parts = split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}
