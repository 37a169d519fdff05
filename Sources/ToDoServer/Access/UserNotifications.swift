import ToDoModel
public import ToDoRules

/// The notification targets of all users, as a server provides them.
public struct UserNotifications: Sendable {
  private let store: any NotificationTargetStore
  private let tester: any NotificationTester
  private let writeRate: WriteRateLimiter?
  private let failures: (any NotificationFailures)?
  private let confirmations: EmailConfirmations?

  /// Provides the targets of a store.
  ///
  /// - Parameters:
  ///   - store: the targets, in the store of the accounts.
  ///   - tester: sends test messages.
  ///   - writeRate: limits the changes of each user, together with the changes of the user's lists.
  ///   - failures: the failed deliveries; `nil` if they are not known.
  ///   - confirmations: sends codes to email addresses; `nil` if users can have none as targets.
  public init(
    _ store: any NotificationTargetStore, tester: any NotificationTester, writeRate: WriteRateLimiter? = nil,
    failures: (any NotificationFailures)? = nil, confirmations: EmailConfirmations? = nil
  ) {
    self.store = store
    self.tester = tester
    self.writeRate = writeRate
    self.failures = failures
    self.confirmations = confirmations
  }

  /// Returns the targets of a caller.
  ///
  /// - Throws: `ToDoError.invalidRequest` if the caller is no user.
  func targets(of grant: AccessGrant) throws -> LocalNotificationService {
    guard !grant.user.isEmpty else {
      let reason = "must be those of a user of the server, because notifications belong to a user"
      throw ToDoError.invalidRequest([FieldViolation("credentials", reason)])
    }
    let targets = LocalNotificationService(
      store: store, tester: tester, user: grant.account, writeRate: writeRate, failures: failures,
      confirmations: confirmations)
    return targets.permitted(by: grant.right)
  }
}
