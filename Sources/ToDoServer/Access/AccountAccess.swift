public import Logging
package import RPC
import Synchronization
public import ToDoModel
public import ToDoRules

/// Access control that identifies users by a token, a client certificate or a Unix user, and other callers by a policy.
///
/// Each connection caches the access grant for the credentials that its calls presented last. Any change of users or
/// tokens invalidates every cached grant within a quarter of a second. Lookups use a copy of the accounts in memory. They
/// read the store only for credentials that the copy does not contain.
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

  /// Creates access control for the users of an account store.
  ///
  /// - Parameters:
  ///   - policy: the access of callers without a user's credentials.
  ///   - clock: the clock that determines whether credentials have expired.
  ///   - logger: logs failed authentication attempts and the end of anonymous access.
  ///   - now: returns the current instant of a monotonic clock.
  ///   - lists: returns the list of an owner.
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
      watchers.invalidateGrants()
    }
    self.watchers = watchers
    self.requirement = requirement
  }

  /// Checks for changes of users and tokens, and for expired credentials, until its task is cancelled.
  ///
  /// - Parameter pause: waits between two checks.
  public func monitorAccounts(
    pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(250)) }
  ) async {
    var version: Int64?
    repeat {
      // While the store cannot be read, the accounts that were read last remain in use.
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
  package func cachedGrant(for call: CallContext) -> AccessGrant? { cachedAccess(for: call)?.grant }

  package func cachedReads(for call: CallContext) -> (any CachedReads)? { cachedAccess(for: call)?.grant.cachedReads }

  private func cachedAccess(for call: CallContext) -> CachedAccess? {
    guard let cached = call.connection.memory.withLock({ $0 as? CachedAccess }), cached.epoch == watchers.epoch,
      cached.authorization == call.metadata[CallContext.authorizationKey]
    else { return nil }
    if let expiresAt = cached.grant.expiresAt, expiresAt <= clock.now() { return nil }
    return cached
  }

  /// - Throws: `ToDoError.unauthenticated`, `ToDoError.storeUnavailable`, or `ToDoError.tooManyFailedAttempts` for an
  ///   invalid token from an address that has to wait.
  package func authenticate(_ call: CallContext) async throws -> AccessGrant {
    // The first read of the accounts begins an epoch.
    _ = try await accounts.current()
    // Read before the lookup, so that a change of accounts during the lookup invalidates its result.
    let epoch = watchers.epoch
    let authorization = call.metadata[CallContext.authorizationKey]
    let grant =
      if let authorization { try await authenticate(authorization, call) } else {
        try await authenticate(call.connection.peer)
      }
    cache(grant, for: call, epoch)
    // The accounts changed during the lookup. The connection may have been missing from the revalidation that followed.
    if watchers.epoch != epoch { revalidate([call.connection], in: try await accounts.current()) }
    return grant
  }

  /// Caches a grant for the later calls of the connection.
  private func cache(_ grant: AccessGrant, for call: CallContext, _ epoch: Int) {
    let authorization = call.metadata[CallContext.authorizationKey]
    // A caller without credentials remains unauthenticated, even if the policy gives it access.
    let isAuthenticated = authorization != nil || call.connection.peer.isIdentified
    call.connection.memory.withLock { memory in
      memory = CachedAccess(authorization: authorization, grant: grant, epoch: epoch)
      if isAuthenticated { call.authenticated(as: grant.owner.name) }
    }
    if isAuthenticated { connections.insert(call.connection, expiresAt: grant.expiresAt) }
  }

  /// Ends the authentication of the connections whose last credentials are no longer valid. A watch with other, valid
  /// credentials authenticates its connection again.
  private func revalidate(_ connections: [CallConnection], in accounts: AccountIndex) {
    let ended = connections.filter { connection in
      connection.memory.withLock { memory in
        guard let cached = memory as? CachedAccess, grant(cached.authorization, connection.peer, in: accounts) == nil
        else {
          return false
        }
        memory = nil
        connection.endAuthentication()
        return true
      }
    }
    if !ended.isEmpty { watchers.wakeAll() }
  }

  package func watch(_ grant: AccessGrant, for call: CallContext) async throws {
    guard grant.isRevocable else { return await watchers.waitForCancellation() }
    var current = grant
    while !Task.isCancelled {
      let epoch = watchers.epoch
      let owner = current.owner
      let accounts = try await accounts.current()
      // The credentials are no longer valid, or belong to another user now.
      let authorization = call.metadata[CallContext.authorizationKey]
      guard let grant = self.grant(authorization, call.connection.peer, in: accounts), grant.owner == owner else {
        throw ToDoError.unauthenticated
      }
      current = grant
      // The connection may have presented other credentials last, which are no longer valid.
      if call.connection.memory.withLock({ ($0 as? CachedAccess)?.epoch }) != epoch { cache(grant, for: call, epoch) }
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
    // The certificate's user may have been added since the accounts were read. Another read does not help other peers.
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
    // Rejecting an unknown token takes as long as rejecting a wrong secret.
    let isSecretCorrect = bearer.hasHash(token?.secretHash ?? Self.placeholderHash)
    guard let token, isSecretCorrect, !token.isExpired(at: clock.now()), let user = accounts[.name(token.user)] else {
      return nil
    }
    return grant(for: user, isReadOnly: token.isReadOnly, expiresAt: token.expiresAt)
  }

  /// The hash that the secret of an unknown token is compared with.
  private static let placeholderHash = [UInt8](repeating: 0, count: 32)

  private func grant(for user: User, isReadOnly: Bool = false, expiresAt: Timestamp? = nil) -> AccessGrant {
    AccessGrant(
      list: lists(user.list), owner: user.list, isReadOnly: isReadOnly, isRevocable: true, expiresAt: expiresAt)
  }
}

extension String {
  /// The token after the scheme `Bearer` in any case, or `nil` if the text has another form.
  fileprivate var bearerToken: String? {
    let parts = split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}
