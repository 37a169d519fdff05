import ToDoModel
public import ToDoRules

/// Where the reminders of all users are sent, as a server provides it.
public struct UserNotifications: Sendable {
  private let store: any NotificationTargetStore
  private let tester: any NotificationTester
  private let writeRate: WriteRateLimiter?

  /// Provides the targets of a store.
  ///
  /// - Parameters:
  ///   - store: the targets, in the store of the accounts.
  ///   - tester: sends test messages.
  ///   - writeRate: limits the changes of each user, together with the changes of the user's lists.
  public init(
    _ store: any NotificationTargetStore, tester: any NotificationTester, writeRate: WriteRateLimiter? = nil
  ) {
    self.store = store
    self.tester = tester
    self.writeRate = writeRate
  }

  /// Returns the targets of a caller.
  ///
  /// - Throws: `ToDoError.invalidRequest` if the caller is no user.
  func targets(of grant: AccessGrant) throws -> LocalNotificationService {
    guard !grant.user.isEmpty else {
      let reason = "must be those of a user of the server, because notifications belong to a user"
      throw ToDoError.invalidRequest([FieldViolation("credentials", reason)])
    }
    return LocalNotificationService(store: store, tester: tester, user: grant.account, writeRate: writeRate)
      .permitted(by: grant.right)
  }
}
