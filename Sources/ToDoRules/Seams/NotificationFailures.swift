public import ToDoModel

/// The failed deliveries of a running server.
public protocol NotificationFailures: Sendable {
  /// Returns the last attempt to send a reminder to a target, if it failed; `nil` if it succeeded, or none was made.
  func lastFailure(of target: NotificationTargetID) -> NotificationFailure?
}
