public import ToDoModel
public import ToDoRules

/// The links that sign browsers in, as a server provides them.
public struct SignInLinks: Sendable {
  let accounts: any AccountStore
  private let origin: String
  private let writeRate: WriteRateLimiter?
  let clock: any WallClock

  /// The time for which a link works, in microseconds: 5 minutes.
  private static let linkAge: Int64 = 300_000_000
  /// The time for which the session that a link makes is valid, in seconds: 90 days.
  static let sessionAge = 7_776_000

  /// Provides the links of a store.
  ///
  /// - Parameters:
  ///   - accounts: the users and tokens.
  ///   - origin: the scheme and the authority at which browsers reach the server; empty if it is not known.
  ///   - writeRate: limits the changes of each user, together with the changes of the user's lists.
  public init(
    _ accounts: any AccountStore, at origin: String = "", writeRate: WriteRateLimiter? = nil,
    clock: any WallClock = SystemWallClock()
  ) {
    self.accounts = accounts
    self.origin = origin
    self.writeRate = writeRate
    self.clock = clock
  }

  /// Creates a link of a caller.
  ///
  /// - Throws: `ToDoError.readOnly`; `ToDoError.invalidRequest` if the caller is no user, or its credentials expire before a session
  ///   would, as those of a session do.
  func createLink(of grant: AccessGrant) async throws -> SignInLink {
    guard let user = UserName(grant.user) else {
      let reason = "must be those of a user of the server, because a link signs a user in"
      throw ToDoError.invalidRequest([FieldViolation("credentials", reason)])
    }
    // A session outlives the credentials that made its link, but nothing that expires makes another that lasts longer.
    guard !grant.isReadOnly else { throw ToDoError.readOnly }
    let sessionEnd = clock.now().microseconds + Self.linkAge + Int64(Self.sessionAge) * 1_000_000
    if let end = grant.expiresAt, end.microseconds < sessionEnd {
      let reason = "expire earlier than a session that a link makes"
      throw ToDoError.invalidRequest([FieldViolation("credentials", reason)])
    }
    return try await createLink(of: user, owner: grant.account, under: grant.right)
  }

  /// Creates a link of a user.
  ///
  /// - Parameters:
  ///   - owner: the owner of the user's default list.
  ///   - right: the caller's right to change the list; `nil` if nothing can end it.
  package func createLink(
    of user: UserName, owner: OwnerID, under right: WriteRight? = nil
  ) async throws -> SignInLink {
    try writeRate?.admit(UserFeeds.changeCost, textSize: 0, to: owner)
    try await accounts.makeRoom(for: .signIn, of: user, limit: SignInLink.limit, at: clock.now())
    let token = LinkToken(for: .signIn)
    let now = clock.now()
    let expiresAt = Timestamp(microseconds: now.microseconds + Self.linkAge)
    try await accounts.add(
      AccessToken(
        id: token.id, user: user, secretHash: token.secretHash, isReadOnly: false, scope: .signIn, createdAt: now,
        expiresAt: expiresAt), under: right)
    return SignInLink(path: "/#sign-in=\(token)", origin: origin, expiresAt: expiresAt)
  }
}
