import Synchronization
import TTRPC
package import TTRPCTransport
public import ToDoModel

/// Lets users in who show a token, a certificate or that they are a certain Unix user, and others as a policy says.
///
/// What a caller showed is looked up once a connection, and again after every change of users and tokens, which is seen
/// within a quarter of a second.
public final class AccountAccess: Sendable {
  private let accounts: any AccountStore
  private let policy: AccessPolicy
  private let lists: @Sendable (OwnerID) -> any ToDoService
  private let clock: any WallClock
  private let watchers = AdmissionWatchers()

  /// - Parameter lists: the list of each owner.
  public init(
    accounts: any AccountStore, policy: AccessPolicy, clock: any WallClock = SystemWallClock(),
    lists: @escaping @Sendable (OwnerID) -> any ToDoService
  ) {
    self.accounts = accounts
    self.policy = policy
    self.clock = clock
    self.lists = lists
  }

  /// Looks for changes of users and tokens until its task is cancelled.
  ///
  /// - Parameter pause: what passes between two looks.
  public func watchAccounts(
    pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(250)) }
  ) async {
    var known: Int64?
    repeat {
      // A store that does not answer now will tell later; until then nobody is let in anew.
      let version = (try? await accounts.accountVersion()) ?? known
      if let known, version != known { watchers.forgetAdmissions() }
      known = version ?? known
      watchers.wakeExpired(at: clock.now())
    } while (try? await pause()) != nil
  }
}

extension AccountAccess: AccessControl {
  /// What was found out about a connection's calls.
  private final class Memory: Sendable {
    /// What they showed.
    let authorization: String?
    let admission: Admission
    let epoch: Int

    init(authorization: String?, admission: Admission, epoch: Int) {
      self.authorization = authorization
      self.admission = admission
      self.epoch = epoch
    }
  }

  package func knownAdmission(of call: CallContext) -> Admission? {
    guard let memory = call.connection.memory.withLock({ $0 as? Memory }), memory.epoch == watchers.epoch,
      memory.authorization == call.metadata[Self.key]
    else { return nil }
    if let expiresAt = memory.admission.expiresAt, expiresAt <= clock.now() { return nil }
    return memory.admission
  }

  package func admit(_ call: CallContext) async throws -> Admission {
    // Before the look-up: what changes meanwhile is then looked up again.
    let epoch = watchers.epoch
    let authorization = call.metadata[Self.key]
    let admission = try await admission(authorization, call.connection.peer)
    let memory = Memory(authorization: authorization, admission: admission, epoch: epoch)
    call.connection.memory.withLock { $0 = memory }
    // A caller without credentials stays unauthenticated, even where the policy admits it.
    if authorization != nil || call.connection.peer != Peer() { call.authenticated(as: admission.owner.name) }
    return admission
  }

  package func watch(_ admission: Admission, of call: CallContext) async throws {
    guard admission.isRevocable else { return await watchers.waitForCancellation() }
    var current = admission
    while !Task.isCancelled {
      let epoch = watchers.epoch
      let owner = current.owner
      current = try await self.admission(call.metadata[Self.key], call.connection.peer)
      // The credentials are somebody else's now.
      guard current.owner == owner else { throw ToDoError.unauthenticated }
      await watchers.waitForChange(after: epoch, orExpiry: current.expiresAt)
    }
  }

  private static let key = "authorization"

  // MARK: Credentials

  private func admission(_ authorization: String?, _ peer: Peer) async throws -> Admission {
    if let authorization { return try await admission(bearing: authorization) }
    if let subject = peer.certificateSubject {
      guard let user = try await accounts.user(.certificateSubject(subject)) else { throw ToDoError.unauthenticated }
      return admission(of: user)
    }
    if let unixUser = peer.unixUser {
      guard policy.unixUsers.contains(unixUser) else { throw ToDoError.unauthenticated }
      if let user = try await accounts.user(.unixUser(unixUser)) { return admission(of: user) }
      // Revocable, as the Unix user can become a user of the server.
      return Admission(list: lists(policy.unixList), owner: policy.unixList, isRevocable: true)
    }
    guard let owner = policy.anonymousList else { throw ToDoError.unauthenticated }
    return Admission(list: lists(owner), owner: owner)
  }

  private func admission(bearing authorization: String) async throws -> Admission {
    guard let text = authorization.bearerToken, let bearer = BearerToken(text) else { throw ToDoError.unauthenticated }
    let token = try await accounts.token(bearer.id)
    // A token that there is not takes as long to refuse as one with another secret.
    let isRight = bearer.hasHash(token?.secretHash ?? Self.nobodysHash)
    guard let token, isRight, !token.isExpired(at: clock.now()),
      let user = try await accounts.user(.name(token.user))
    else { throw ToDoError.unauthenticated }
    return admission(of: user, token)
  }

  private static let nobodysHash = [UInt8](repeating: 0, count: 32)

  private func admission(of user: User, _ token: AccessToken? = nil) -> Admission {
    Admission(
      list: lists(user.list), owner: user.list, isReadOnly: token?.isReadOnly ?? false, isRevocable: true,
      expiresAt: token?.expiresAt)
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
