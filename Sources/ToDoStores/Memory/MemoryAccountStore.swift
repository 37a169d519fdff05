import Synchronization
public import ToDoModel
public import ToDoRules

/// A store of users, tokens and lists in memory, which are lost when the process exits.
public final class MemoryAccountStore: AccountStore {
  private struct State {
    var users: [UserName: User] = [:]
    var tokens: [AccessTokenID: AccessToken] = [:]
    var version: Int64 = 0
    var userLists = MemoryLists()
    /// The notification targets, by the owner of the user's default list. No array is empty.
    var targets: [OwnerID: [NotificationTarget]] = [:]
    var reminders = MemoryReminderStates()

    /// The users, ordered by name.
    var userList: [User] { users.values.sorted { $0.name.description < $1.name.description } }

    /// The tokens, ordered by time of creation.
    var tokenList: [AccessToken] {
      tokens.values.sorted { ($0.createdAt, $0.id.number) < ($1.createdAt, $1.id.number) }
    }
  }

  private let state = Mutex(State())

  /// The items of the lists.
  private let lists: MemoryToDoItemStore?

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

extension MemoryAccountStore: ListStore {
  public func listRecords(of owner: OwnerID) async throws -> ListRecords {
    state.withLock { $0.userLists.records(of: owner, accountVersion: $0.version) }
  }

  public func changeLists<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try state.withLock { try changeLists(of: owner, in: &$0, body) }
  }

  private func changeLists<Value>(
    of owner: OwnerID, in state: inout State, _ body: (inout ListRecords) throws -> Value
  ) throws -> Value {
    var ended: [OwnerID] = []
    let former = state.userLists.records(of: owner, accountVersion: state.version)
    let value = try state.userLists.change(
      of: owner, accountVersion: state.version, users: state.users, endedAccess: &ended, body)
    let records = state.userLists.records(of: owner, accountVersion: state.version)
    for id in Set(former.furtherLists).union(records.furtherLists) {
      lists?.setAvailable(records.isAvailable(id), OwnerID(id))
      let members = records[id].map { $0.members.filter { $0.acceptedAt != nil }.map(\.owner) + [owner] } ?? []
      state.reminders.remove(in: id, except: Set(members))
    }
    if !ended.isEmpty {
      state.version += 1
      for list in ended { lists?.endAccess(to: list, at: state.version) }
    }
    return value
  }

  public func listChanges(after version: Int64, limit: Int) async throws -> ListChanges {
    state.withLock { $0.userLists.changes(after: version, limit: limit) }
  }

  public func expiredLists(at now: Timestamp, limit: Int) async throws -> [ExpiredList] {
    state.withLock { $0.userLists.expired(at: now, limit: limit) }
  }

  public func listUsage(of owner: OwnerID) async throws -> [OwnerID: ListUsage] {
    let owners = state.withLock { $0.userLists.owners(of: owner) }
    return lists?.usage(of: owners) ?? [:]
  }

  public func owner(of list: ListID) async throws -> OwnerID? { state.withLock { $0.userLists.owner(of: list) } }

  public func owners(sharingAs user: String) async throws -> [OwnerID] {
    state.withLock { $0.userLists.owners(sharingAs: user) }
  }

  public func purgeList(_ list: OwnerID) async throws -> Int { lists?.removeList(of: list) ?? 0 }
}

extension MemoryAccountStore: NotificationTargetStore {
  public func notificationTargets(of user: OwnerID) async throws -> [NotificationTarget] {
    state.withLock { $0.targets[user] ?? [] }
  }

  public func allNotificationTargets() async throws -> NotificationTargets {
    state.withLock { NotificationTargets(version: $0.version, users: $0.targets) }
  }

  public func addNotificationTarget(
    _ target: NotificationTarget, of user: OwnerID, checking check: @escaping AccessCheck
  ) async throws {
    try state.withLock { state in
      try check(state.version)
      guard state.users.values.contains(where: { $0.list == user }) else { throw ToDoError.unauthenticated }
      let targets = state.targets[user] ?? []
      try targets.checkAddition(of: target)
      state.targets[user] = (targets + [target]).sorted { $0.id < $1.id }
      state.version += 1
    }
  }

  public func removeSecret(
    _ secret: String, ofNotificationTarget id: NotificationTargetID, of user: OwnerID,
    checking check: @escaping AccessCheck
  ) async throws {
    try state.withLock { state in
      try check(state.version)
      guard let index = state.targets[user]?.firstIndex(where: { $0.id == id && $0.secret == secret }) else {
        throw ToDoError.notificationTargetNotFound(id)
      }
      state.targets[user]?[index].secret = nil
      state.version += 1
    }
  }

  public func removeNotificationTarget(
    _ id: NotificationTargetID, of user: OwnerID, checking check: @escaping AccessCheck
  ) async throws -> NotificationTarget {
    try state.withLock { state in
      try check(state.version)
      guard let index = state.targets[user]?.firstIndex(where: { $0.id == id }),
        let removed = state.targets[user]?.remove(at: index)
      else { throw ToDoError.notificationTargetNotFound(id) }
      if state.targets[user]?.isEmpty == true { state.targets[user] = nil }
      state.version += 1
      return removed
    }
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

extension MemoryAccountStore: ReminderStateStore {
  public func reminderStates(of user: OwnerID) async throws -> [ItemID: [Reminder]] {
    state.withLock { $0.reminders.states(of: user) }
  }

  public func changeReminderStates<Value: Sendable>(
    of user: OwnerID, in list: ListID, item: ItemID, at now: Timestamp,
    _ body: @escaping @Sendable (inout [Reminder]) throws -> Value
  ) async throws -> Value {
    try state.withLock { state in
      let records = state.userLists.records(of: user, accountVersion: state.version)
      guard !list.isDefault, records.isAvailable(list) else { throw ToDoError.listNotFound(list) }
      return try state.reminders.change(of: user, in: list, item: item, at: now, body)
    }
  }
}
