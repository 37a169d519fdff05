public import ToDoModel

/// Sends test messages. A server without notifications has none.
public protocol NotificationTester: Sendable {
  /// Sends a message that says it is a test, at once and without retries.
  ///
  /// - Throws: `ToDoError.notificationFailed`, whose detail contains neither the path of the URL nor the secret.
  func sendTest(to target: NotificationTarget) async throws
}
