import Synchronization
public import ToDoModel
public import ToDoRules

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
