import ToDoRules

/// Users and tokens in memory, found by the credentials that callers present.
struct AccountIndex: Sendable {
  let version: Int64
  private var users: [UserKey: User] = [:]
  private var tokens: [AccessTokenID: AccessToken] = [:]

  init(_ accounts: Accounts) {
    version = accounts.version
    for user in accounts.users {
      users[.name(user.name)] = user
      if let unixUser = user.unixUser { users[.unixUser(unixUser)] = user }
      if let subject = user.certificateSubject { users[.certificateSubject(subject)] = user }
    }
    for token in accounts.tokens { tokens[token.id] = token }
  }

  /// Whether a user was ever added to the server.
  var hasHadUsers: Bool { version > 0 }

  subscript(key: UserKey) -> User? { users[key] }

  subscript(id: AccessTokenID) -> AccessToken? { tokens[id] }
}
