public import Logging
import Synchronization
public import ToDoModel
import ToDoProtocol
package import ToDoRPC
public import ToDoRules
package import ToDoSupport

/// Access control that identifies users by a token, a client certificate or a Unix user, and other callers by a policy.
///
/// Each connection caches the access grant for the credentials that its calls presented last. Any change of users or
/// tokens invalidates every cached grant within 250 ms. Lookups use a copy of the accounts in memory. They
/// read the store only for credentials that the copy does not contain.
///
/// Invalid tokens are limited by the caller's network address. The limit never applies to a valid token.
public final class AccountAccess: Sendable {
  private let accounts: AccountCache
  private let policy: AccessPolicy
  private let lists: @Sendable (OwnerID) -> any ToDoService
  package let userLists: UserLists?
  package let notifications: UserNotifications?
  package let positions: PositionBook?
  package let reminders: ReminderBook?
  package let feeds: UserFeeds?
  package let signInLinks: SignInLinks?
  private let clock: any WallClock
  private let attempts: AttemptLimiter
  private let watchers: GrantMonitor
  private let requirement: CredentialsRequirement
  private let connections = AuthenticatedConnections()
  /// The right of callers without credentials, at one account version. They share it, because an idle connection would
  /// otherwise retain one of its own.
  private let anonymousRight = Mutex<(version: Int64, right: WriteRight)?>(nil)

  /// Creates access control for the users of an account store.
  ///
  /// - Parameters:
  ///   - policy: the access of callers without a user's credentials.
  ///   - clock: the clock that determines whether credentials have expired.
  ///   - logger: logs failed authentication attempts and the end of anonymous access.
  ///   - now: returns the current instant of a monotonic clock.
  ///   - onUsers: called when the server is known to have had users, and again when the accounts change.
  ///   - userLists: the lists of users besides their default ones; `nil` if there are none.
  ///   - notifications: the targets of users' reminders; `nil` if the server sends none.
  ///   - positions: the users at the places of their items; `nil` if the server takes no reports.
  ///   - reminders: the reminders of users, in the same store; `nil` if the server keeps no states of them.
  ///   - feeds: the calendar feeds of users, in the same store; `nil` if the server has none.
  ///   - signInLinks: the links that sign browsers in, in the same store; `nil` if the server shows no page.
  ///   - lists: returns the default list of an owner.
  public init(
    accounts: any AccountStore, policy: AccessPolicy, clock: any WallClock = SystemWallClock(),
    logger: Logger = Logger(label: "todo.server") { _ in SwiftLogNoOpLogHandler() },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    onUsers: @escaping @Sendable () -> Void = {}, userLists: UserLists? = nil,
    notifications: UserNotifications? = nil, positions: PositionBook? = nil,
    reminders: ReminderBook? = nil, feeds: UserFeeds? = nil,
    signInLinks: SignInLinks? = nil,
    lists: @escaping @Sendable (OwnerID) -> any ToDoService
  ) {
    self.policy = policy
    self.clock = clock
    self.lists = lists
    self.userLists = userLists
    self.notifications = notifications
    self.positions = positions
    self.reminders = reminders
    self.feeds = feeds
    self.signInLinks = signInLinks
    let watchers = GrantMonitor()
    let requirement = CredentialsRequirement(isRequired: policy.anonymousList == nil)
    attempts = AttemptLimiter(logger: logger, now: now)
    self.accounts = AccountCache(accounts) { accounts in
      if accounts.hasHadUsers { onUsers() }
      if accounts.hasHadUsers, requirement.require() {
        logger.notice("anonymous access has ended, because the server has users")
      }
      watchers.invalidateGrants()
    }
    self.watchers = watchers
    self.requirement = requirement
  }

  /// Checks for changes of users and tokens, and for expired credentials, until its task is canceled.
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
  package func cachedReads(for call: CallContext) -> (any ServedList)? { cachedAccess(for: call)?.grant.servedList }

  func cachedAccess(for call: CallContext) -> CachedAccess? {
    guard let cached = call.connection.memory.withLock({ $0 as? CachedAccess }), cached.epoch == watchers.epoch,
      cached.authorization == call.metadata[CallContext.authorizationKey]
    else { return nil }
    if let expiresAt = cached.grant.expiresAt, expiresAt <= clock.now() { return nil }
    return cached
  }

  /// - Throws: `ToDoError.unauthenticated`, `ToDoError.storeUnavailable`, or `ToDoError.tooManyFailedAttempts` for an
  ///   invalid token from an address that has to wait.
  package func lookUpGrant(for call: CallContext) throws -> Lookup<AccessGrant> {
    if let cached = cachedAccess(for: call) { return .ready(cached.grant) }
    // Read before the accounts, so that a change of accounts during the look-up invalidates its result.
    let epoch = watchers.epoch
    // The first read of the accounts begins an epoch.
    guard let accounts = accounts.inMemory else {
      return .pending {
        _ = try await self.accounts.current()
        return try await self.grant(for: call)
      }
    }
    if let grant = accept(call, in: accounts, epoch) { return .ready(grant) }
    guard try mayHaveBeenAdded(call) else {
      reject(call)
      throw ToDoError.unauthenticated
    }
    return .pending { try await self.refreshedGrant(for: call) }
  }

  /// Returns the grant for a call whose credentials may have been added since the accounts were read.
  private func refreshedGrant(for call: CallContext) async throws -> AccessGrant {
    let refreshed = try await accounts.refreshed()
    let epoch = watchers.epoch
    // The accounts may have changed again before the epoch was read.
    let accounts = self.accounts.inMemory ?? refreshed
    if let grant = accept(call, in: accounts, epoch) { return grant }
    if let authorization = call.metadata[CallContext.authorizationKey] {
      self.accounts.rememberInvalid(authorization, at: accounts.version)
    }
    reject(call)
    throw ToDoError.unauthenticated
  }

  /// Returns the grant for a call's credentials, and caches it, or returns `nil` if they are missing or invalid.
  private func accept(_ call: CallContext, in accounts: AccountIndex, _ epoch: Int) -> AccessGrant? {
    let (authorization, peer) = (call.metadata[CallContext.authorizationKey], call.connection.peer)
    guard let grant = writingGrant(authorization, peer, in: accounts) else { return nil }
    cache(grant, for: call, epoch)
    // The accounts changed during the look-up. The connection may have been missing from the revalidation that followed.
    if watchers.epoch != epoch, let current = self.accounts.inMemory { revalidate([call.connection], in: current) }
    return grant
  }

  /// Whether a call's credentials may become valid when the accounts are read again.
  ///
  /// - Throws: `ToDoError.tooManyFailedAttempts`.
  private func mayHaveBeenAdded(_ call: CallContext) throws(ToDoError) -> Bool {
    // Without a token, only the user of a certificate may have been added.
    guard let authorization = call.metadata[CallContext.authorizationKey] else {
      return call.connection.peer.certificateSubject != nil
    }
    do { try attempts.check(AttemptSource(call.connection.peer)) } catch {
      call.rejectedCredentials()
      throw error
    }
    return !accounts.isKnownInvalid(authorization)
  }

  /// Counts an invalid token.
  private func reject(_ call: CallContext) {
    guard call.metadata[CallContext.authorizationKey] != nil else { return }
    attempts.recordFailure(of: AttemptSource(call.connection.peer))
    call.rejectedCredentials()
  }

  /// Caches a grant for the later calls of the connection.
  private func cache(_ grant: AccessGrant, for call: CallContext, _ epoch: Int) {
    let authorization = call.metadata[CallContext.authorizationKey]
    // A caller without credentials remains unauthenticated, even if the policy gives it access.
    let access = CachedAccess(authorization: authorization, grant: grant, epoch: epoch)
    let isAuthenticated = access.isAuthenticated(call.connection)
    call.connection.memory.withLock { memory in
      memory = access
      if isAuthenticated { call.authenticated(as: grant.owner.name) }
    }
    if isAuthenticated { connections.insert(call.connection, expiresAt: grant.expiresAt) }
  }

  /// Ends the authentication of connections whose last credentials are no longer valid, and their calls. A watch with other, valid
  /// credentials authenticates its connection again.
  private func revalidate(_ connections: [CallConnection], in accounts: AccountIndex) {
    let ended = connections.filter { connection in
      connection.memory.withLock { memory in
        guard let cached = memory as? CachedAccess else { return false }
        if let grant = grant(cached.authorization, connection.peer, in: accounts) {
          self.connections.insert(connection, expiresAt: grant.expiresAt)
          return false
        }
        memory = nil
        if cached.isAuthenticated(connection) { connection.endAuthentication() }
        return true
      }
    }
    for connection in connections { endCalls(of: connection, in: accounts) }
    if !ended.isEmpty { watchers.wakeAll() }
  }

  /// Ends the pending unary calls of a connection whose credentials are no longer valid. A call may have others than those that
  /// its connection presented last.
  private func endCalls(of connection: CallConnection, in accounts: AccountIndex) {
    connection.endCalls { call in
      let grant = self.grant(call.metadata[CallContext.authorizationKey], call.connection.peer, in: accounts)
      return grant == nil ? RPCError(ToDoError.unauthenticated) : nil
    }
  }

  package func watch(_ grant: AccessGrant, for call: CallContext) async throws {
    guard grant.isRevocable else { return await watchers.waitForCancellation() }
    var current = grant
    while !Task.isCancelled {
      let epoch = watchers.epoch
      let owner = current.account
      let accounts = try await accounts.current()
      // The credentials are no longer valid, or belong to another user now.
      let authorization = call.metadata[CallContext.authorizationKey]
      guard let grant = writingGrant(authorization, call.connection.peer, in: accounts), grant.owner == owner else {
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

  // MARK: Feeds

  /// Returns the access that the token of a calendar feed gives, for reading, and the feed's list; `nil` for all lists.
  ///
  /// The grant is not cached: the connection of a reader of feeds remains unauthenticated.
  ///
  /// - Throws: `ToDoError.unauthenticated`, also for a feed that was revoked; `ToDoError.tooManyFailedAttempts`,
  ///   `ToDoError.storeUnavailable`.
  func feedGrant(_ text: String, for call: CallContext) async throws -> (grant: AccessGrant, list: ListID?) {
    let (record, user) = try await record(of: text, for: call)
    guard case .calendarFeed(let list) = record.scope else { throw ToDoError.unauthenticated }
    return (grant(for: user, isReadOnly: true), list)
  }

  /// Returns the record of a token in an address or a link.
  ///
  /// - Throws: as `feedGrant(_:for:)`.
  func record(of text: String, for call: CallContext) async throws -> (record: AccessToken, user: User) {
    let token = LinkToken(text)
    if let found = record(of: token, in: try await accounts.current()) { return found }
    let source = AttemptSource(call.connection.peer)
    do { try attempts.check(source) } catch {
      call.rejectedCredentials()
      throw error
    }
    if !accounts.isKnownInvalid(text) {
      let refreshed = try await accounts.refreshed()
      if let found = record(of: token, in: refreshed) { return found }
      accounts.rememberInvalid(text, at: refreshed.version)
    }
    attempts.recordFailure(of: source)
    call.rejectedCredentials()
    throw ToDoError.unauthenticated
  }

  /// Returns the ID of the session that a call presents, or `nil` for other credentials and for a session that no call has used.
  func session(of call: CallContext) async throws -> AccessTokenID? {
    guard let text = call.metadata[CallContext.authorizationKey], let token = BearerToken(authorization: text),
      let record = try await accounts.current()[token.id], record.scope == .session, token.hasHash(record.secretHash)
    else { return nil }
    return record.id
  }

  private func record(of token: LinkToken?, in accounts: AccountIndex) -> (record: AccessToken, user: User)? {
    guard let token else { return nil }
    let record = accounts[token.id]
    // Rejecting an unknown token takes as long as rejecting a wrong secret.
    let isSecretCorrect = token.hasHash(record?.secretHash ?? Self.placeholderHash)
    guard let record, isSecretCorrect, !record.isExpired(at: clock.now()), let user = accounts[.name(record.user)]
    else {
      return nil
    }
    return (record, user)
  }

  // MARK: Credentials

  /// Returns the grant for a call's credentials, with the right to change the list, or `nil` if they are missing or invalid.
  private func writingGrant(_ authorization: String?, _ peer: Peer, in accounts: AccountIndex) -> AccessGrant? {
    guard var grant = grant(authorization, peer, in: accounts) else { return nil }
    guard grant.isRevocable, !grant.isReadOnly else { return grant }
    let isAnonymous = authorization == nil && !peer.isIdentified
    grant.right =
      if isAnonymous { anonymousRight(of: grant, peer, accounts.version) } else {
        right(of: grant, authorization, peer, accounts.version)
      }
    return grant
  }

  private func anonymousRight(of grant: AccessGrant, _ peer: Peer, _ version: Int64) -> WriteRight {
    anonymousRight.withLock { shared in
      if let shared, shared.version == version { return shared.right }
      // This object retains the right.
      let right = WriteRight(version: version, expiresAt: nil, clock: clock) { [weak self] in
        guard let self else { throw ToDoError.unauthenticated }
        return try await self.renewedRight(of: grant, nil, peer)
      }
      shared = (version, right)
      return right
    }
  }

  private func right(
    of grant: AccessGrant, _ authorization: String?, _ peer: Peer, _ version: Int64
  ) -> WriteRight {
    WriteRight(version: version, expiresAt: grant.expiresAt, clock: clock) {
      try await self.renewedRight(of: grant, authorization, peer)
    }
  }

  /// Returns the right to change the list of a grant, which lasts as long as the credentials permit the same caller to change
  /// the same list.
  private func renewedRight(of former: AccessGrant, _ authorization: String?, _ peer: Peer) async throws -> WriteRight {
    let accounts = try await accounts.refreshed()
    let grant = grant(authorization, peer, in: accounts)
    guard let grant, grant.owner == former.owner, grant.user == former.user else { throw ToDoError.unauthenticated }
    guard !grant.isReadOnly else { throw ToDoError.readOnly }
    return right(of: grant, authorization, peer, accounts.version)
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
    guard let bearer = BearerToken(authorization: authorization) else { return nil }
    let token = accounts[bearer.id]
    // Rejecting an unknown token takes as long as rejecting a wrong secret.
    let isSecretCorrect = bearer.hasHash(token?.secretHash ?? Self.placeholderHash)
    guard let token, isSecretCorrect, token.permitsMethods, !token.isExpired(at: clock.now()),
      let user = accounts[.name(token.user)]
    else { return nil }
    return grant(for: user, isReadOnly: token.isReadOnly, expiresAt: token.expiresAt)
  }

  /// The hash that the secret of an unknown token is compared with.
  private static let placeholderHash = [UInt8](repeating: 0, count: 32)

  private func grant(for user: User, isReadOnly: Bool = false, expiresAt: Timestamp? = nil) -> AccessGrant {
    AccessGrant(
      list: lists(user.list), owner: user.list, user: user.name.description, isReadOnly: isReadOnly, isRevocable: true,
      expiresAt: expiresAt)
  }
}

/// The cached access grant of a connection.
final class CachedAccess: Sendable {
  /// The value of the metadata key `authorization` that the grant was resolved for.
  let authorization: String?
  let grant: AccessGrant
  /// The epoch of the grant monitor in which the grant was resolved.
  let epoch: Int

  init(authorization: String?, grant: AccessGrant, epoch: Int) {
    self.authorization = authorization
    self.grant = grant
    self.epoch = epoch
  }

  /// Whether the connection has presented credentials. A caller without any remains unauthenticated, even if the policy gives
  /// it access.
  func isAuthenticated(_ connection: CallConnection) -> Bool { authorization != nil || connection.peer.isIdentified }
}

/// The access of callers that present no user's credentials.
public struct AccessPolicy: Equatable, Sendable {
  /// The list of network clients without credentials, or `nil` to reject such clients.
  public var anonymousList: OwnerID?
  /// The Unix users that may connect over a Unix socket. Those that belong to no user of the server share `unixList`.
  public var unixUsers: Set<UInt32>
  /// The list that Unix users share if they belong to no user of the server.
  public var unixList: OwnerID = .local

  /// Creates a policy whose shared list of Unix users is `OwnerID.local`.
  public init(anonymousList: OwnerID?, unixUsers: Set<UInt32>) {
    self.anonymousList = anonymousList
    self.unixUsers = unixUsers
  }
}
