public import ToDoModel

/// Stores the targets of users' reminders, with the accounts.
///
/// Users are named by the owner ID of their default list. Every change is atomic, as durable as the store when the call
/// returns, and changes the version that `AccountStore.accountVersion()` returns. Removing a user removes the user's targets.
/// All operations throw `ToDoError.storeUnavailable` if the store fails. `NotificationTargetContract` in ToDoTesting is this
/// contract as a test suite.
public protocol NotificationTargetStore: Sendable {
  /// Returns the targets of a user, the earliest ID first.
  func notificationTargets(of user: OwnerID) async throws -> [NotificationTarget]

  /// Returns the targets of all users, read together with the account version.
  func allNotificationTargets() async throws -> NotificationTargets

  /// Adds a target.
  ///
  /// - Parameter check: receives the account version before the change, in its transaction. If it throws, nothing is changed.
  /// - Throws: the errors of `check`; `ToDoError.unauthenticated` if no user has the list; `ToDoError.tooManyNotificationTargets`;
  ///   `ToDoError.invalidRequest` if a target of the user has the ID, or the kind and the URL.
  func addNotificationTarget(
    _ target: NotificationTarget, of user: OwnerID, checking check: @escaping AccessCheck) async throws

  /// Removes the secret of a target that still has it.
  ///
  /// - Parameter check: as for an addition.
  /// - Throws: the errors of `check`; `ToDoError.notificationTargetNotFound` if the user has no such target with this secret.
  func removeSecret(
    _ secret: String, ofNotificationTarget id: NotificationTargetID, of user: OwnerID,
    checking check: @escaping AccessCheck) async throws

  /// Removes a target, and returns it.
  ///
  /// - Parameter check: as for an addition.
  /// - Throws: the errors of `check`; `ToDoError.notificationTargetNotFound` if the user has no such target.
  func removeNotificationTarget(
    _ id: NotificationTargetID, of user: OwnerID, checking check: @escaping AccessCheck
  ) async throws -> NotificationTarget
}

extension NotificationTargetStore {
  /// Checks whether a caller may still make a change, at an account version.
  public typealias AccessCheck = @Sendable (_ accountVersion: Int64) throws -> Void

  /// Adds a target, whoever the caller is.
  public func addNotificationTarget(_ target: NotificationTarget, of user: OwnerID) async throws {
    try await addNotificationTarget(target, of: user) { _ in }
  }

  /// Removes a target, whoever the caller is.
  public func removeNotificationTarget(
    _ id: NotificationTargetID, of user: OwnerID
  ) async throws -> NotificationTarget {
    try await removeNotificationTarget(id, of: user) { _ in }
  }
}

/// The targets of all users at one account version.
public struct NotificationTargets: Equatable, Sendable {
  /// The version that `AccountStore.accountVersion()` returned at the same time.
  public var version: Int64
  /// The targets, by the owner of the user's default list, the earliest ID first. No user has an empty array.
  public var users: [OwnerID: [NotificationTarget]]

  /// Creates a value.
  public init(version: Int64, users: [OwnerID: [NotificationTarget]] = [:]) {
    self.version = version
    self.users = users
  }

  /// The targets to which reminders may be sent.
  package var confirmed: NotificationTargets {
    NotificationTargets(
      version: version, users: users.mapValues { $0.filter(\.isConfirmed) }.filter { !$0.value.isEmpty })
  }
}

extension [NotificationTarget] {
  /// Checks whether a target can be added to a user's targets.
  package func checkAddition(of target: NotificationTarget) throws {
    let isKnown = contains { $0.id == target.id || ($0.kind == target.kind && $0.url.hasSameBytes(as: target.url)) }
    if isKnown { throw ToDoError.invalidRequest([FieldViolation("target.url", "is the URL of an existing target")]) }
    let limit = NotificationTarget.Limits.targets
    guard count < limit else { throw ToDoError.tooManyNotificationTargets(limit: limit) }
  }
}
