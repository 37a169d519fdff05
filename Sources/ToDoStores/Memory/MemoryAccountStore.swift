import Synchronization
public import ToDoModel
public import ToDoRules

/// A store of users, tokens and lists in memory, which are lost when the process exits.
public final class MemoryAccountStore: AccountStore {
  struct State {
    var users: [UserName: User] = [:]
    var tokens: [AccessTokenID: AccessToken] = [:]
    var version: Int64 = 0
    var userLists = MemoryLists()
    /// Where reminders are sent, by the owner of the user's default list. No array is empty.
    var targets: [OwnerID: [NotificationTarget]] = [:]
    var reminders = MemoryReminderStates()

    /// The users, ordered by name.
    var userList: [User] { users.values.sorted { $0.name.description < $1.name.description } }

    /// The tokens, ordered by time of creation.
    var tokenList: [AccessToken] {
      tokens.values.sorted { ($0.createdAt, $0.id.number) < ($1.createdAt, $1.id.number) }
    }
  }

  let state = Mutex(State())

  /// The items of the lists.
  let lists: MemoryToDoItemStore?

  /// Creates an empty store.
  ///
  /// - Parameter lists: the lists of the users, whose writes end with the access of their callers.
  public init(lists: MemoryToDoItemStore? = nil) {
    self.lists = lists
  }

  public func users() async throws -> [User] { state.withLock(\.userList) }

  public func addUser(_ user: User) async throws {
    try state.withLock { state in
      if let conflict = user.conflict(with: state.users.values) { throw conflict }
      state.users[user.name] = user
      endAccess(to: .local, in: &state)
    }
  }

  public func removeUser(_ name: UserName) async throws -> User {
    try state.withLock { state in
      guard let user = state.users.removeValue(forKey: name) else { throw AccountError.noSuchUser(name) }
      state.tokens = state.tokens.filter { $0.value.user != name }
      // Users with the same default list have the same targets.
      if !state.users.values.contains(where: { $0.list == user.list }) {
        state.targets[user.list] = nil
        state.reminders.remove(of: user.list)
      }
      endAccess(to: user.list, in: &state)
      for owner in state.userLists.owners(sharing: name.description) {
        try changeLists(of: owner, in: &state) { $0.removeUser(named: name.description) }
      }
      return user
    }
  }

  public func user(_ key: UserKey) async throws -> User? {
    state.withLock { state in
      switch key {
      case .name(let name): state.users[name]
      case .unixUser(let number): state.users.values.first { $0.unixUser == number }
      case .certificateSubject(let subject):
        state.users.values.first { $0.certificateSubject?.hasSameBytes(as: subject) == true }
      }
    }
  }

  public func users(withList list: OwnerID) async throws -> [User] {
    state.withLock { state in state.userList.filter { $0.list == list } }
  }

  public func tokens() async throws -> [AccessToken] { state.withLock(\.tokenList) }

  public func addToken(_ token: AccessToken) async throws {
    try state.withLock { state in
      guard state.users[token.user] != nil else { throw AccountError.noSuchUser(token.user) }
      state.tokens[token.id] = token
      state.version += 1
    }
  }

  public func revokeToken(_ id: AccessTokenID) async throws {
    try state.withLock { state in
      guard let token = state.tokens.removeValue(forKey: id) else { throw AccountError.noSuchToken(id) }
      endAccess(to: state.users[token.user]?.list, in: &state)
    }
  }

  public func token(_ id: AccessTokenID) async throws -> AccessToken? { state.withLock { $0.tokens[id] } }

  public func accounts() async throws -> Accounts {
    state.withLock { Accounts(version: $0.version, users: $0.userList, tokens: $0.tokenList) }
  }

  public func accountVersion() async throws -> Int64 { state.withLock(\.version) }

  /// Starts another account version, at which the access to a list is checked again.
  private func endAccess(to list: OwnerID?, in state: inout State) {
    state.version += 1
    guard let list else { return }
    for owner in state.userLists.readableOwners(of: list) { lists?.endAccess(to: owner, at: state.version) }
  }
}

extension User {
  /// Returns the error of adding this user to the others, or `nil` if there is no conflict.
  package func conflict(with others: some Sequence<User>) -> AccountError? {
    for other in others {
      if other.name == name { return .userExists(name) }
      if let unixUser, other.unixUser == unixUser { return .unixUserTaken(unixUser, by: other.name) }
      if let certificateSubject, other.certificateSubject?.hasSameBytes(as: certificateSubject) == true {
        return .certificateTaken(certificateSubject, by: other.name)
      }
    }
    return nil
  }
}
