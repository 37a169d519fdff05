import ToDoModel
package import ToDoRPC
import ToDoRules

/// Signs browsers in that present a link.
package struct SignInExchange: Sendable {
  /// The session of a browser.
  package struct Session: Sendable {
    /// The token of the session.
    package let token: BearerToken
    /// The time for which it is valid, in seconds.
    package let age: Int
  }

  /// The maximum number of a user's sessions. Another one ends the earliest.
  package static let limit = 20

  private let access: AccountAccess
  /// The links of a user are taken one at a time, so that none exceeds the number of sessions.
  private let turns = OwnerTurns(concurrency: 1, waitingLimit: 8)

  /// Creates a value.
  package init(_ access: AccountAccess) { self.access = access }

  /// Returns a new session for the token of a link, which works no more.
  ///
  /// - Parameter token: the token. A wrong one counts as a failed attempt of the caller's address.
  /// - Throws: `RPCError`: `unauthenticated` if there is no such link, also because it was used or has expired;
  ///   `resourceExhausted`; `unavailable`.
  package func session(for token: String, for call: CallContext) async throws -> Session {
    try await mappingErrors {
      guard let links = access.signInLinks else { throw ToDoError.unauthenticated }
      let (record, user) = try await access.record(of: token, for: call)
      guard record.scope == .signIn else { throw ToDoError.unauthenticated }
      return try await turns.run(for: user.list) {
        // Of several requests with the same link, one revokes it.
        do { try await links.accounts.revokeToken(record.id) } catch is AccountError {
          throw ToDoError.unauthenticated
        }
        let (now, bearer) = (links.clock.now(), BearerToken())
        try await links.accounts.makeRoom(for: .session, of: user.name, limit: Self.limit, at: now)
        let expiresAt = Timestamp(microseconds: now.microseconds + Int64(SignInLinks.sessionAge) * 1_000_000)
        try await links.accounts.add(
          AccessToken(
            id: bearer.id, user: user.name, secretHash: bearer.secretHash, isReadOnly: false, scope: .session,
            createdAt: now, expiresAt: expiresAt))
        return Session(token: bearer, age: SignInLinks.sessionAge)
      }
    }
  }

  /// Ends the session that a call presents, if a link has made it. A token that the user has entered remains valid.
  ///
  /// - Throws: `RPCError`: `unavailable`.
  package func end(for call: CallContext) async throws {
    try await mappingErrors {
      guard let links = access.signInLinks, let id = try await access.session(of: call) else { return }
      // Another request may have revoked it.
      do { try await links.accounts.revokeToken(id) } catch is AccountError {}
    }
  }
}
