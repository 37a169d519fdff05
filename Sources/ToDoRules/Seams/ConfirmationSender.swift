public import ToDoModel

/// Sends the codes that confirm email addresses. A server that sends no email has none.
public protocol ConfirmationSender: Sendable {
  /// Sends a code to the address of a target, at once and without retries.
  ///
  /// - Throws: `ToDoError.notificationFailed`, whose detail contains no part of the address.
  func sendConfirmation(code: String, to target: NotificationTarget) async throws
}
