import ToDoModel
import ToDoRules

extension AccountStore {
  /// Revokes the tokens of a user and a scope that have expired, and the earliest ones, so that another one does not exceed a limit.
  func makeRoom(
    for scope: AccessToken.Scope, of user: UserName, limit: Int, at now: Timestamp
  ) async throws {
    let tokens = try await tokens(of: user).filter { $0.scope == scope }
    let expired = tokens.filter { $0.isExpired(at: now) }
    let valid = tokens.filter { !$0.isExpired(at: now) }
    for token in expired + valid.prefix(max(0, valid.count - limit + 1)) {
      // Another request may have revoked it.
      do { try await revokeToken(token.id) } catch is AccountError {}
    }
  }

  /// Adds a token for a caller, unless the caller's access has ended: the token would outlive it.
  ///
  /// - Parameter right: the caller's right to change the list; `nil` if nothing can end it.
  /// - Throws: `ToDoError.unauthenticated`, also if the user was removed meanwhile; `ToDoError.readOnly`.
  func add(_ token: AccessToken, under right: WriteRight? = nil) async throws {
    do { try await addToken(token) } catch is AccountError { throw ToDoError.unauthenticated }
    // Afterwards, so that nothing can end the access between the check and the addition.
    do { _ = try await right?.renewed() } catch {
      try? await revokeToken(token.id)
      throw error
    }
  }
}
