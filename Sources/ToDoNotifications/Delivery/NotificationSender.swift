package import ToDoModel

/// Sends a message to a target, once.
package protocol NotificationSender: Sendable {
  /// Sends a message. Ends within the sender's time limit, and as soon as the task is canceled.
  func send(_ message: NotificationMessage, to target: NotificationTarget) async -> DeliveryOutcome
}

/// An attempt's outcome. A reason contains no secret, and of the URL only the host.
package enum DeliveryOutcome: Hashable, Sendable {
  /// The target has taken the message.
  case delivered
  /// Another attempt can succeed.
  case failed(String)
  /// No other attempt can succeed.
  case refused(String)

  /// Returns if the target has taken the message.
  ///
  /// - Throws: `CancellationError` if the task is canceled; `ToDoError.notificationFailed`.
  func requireDelivery() throws {
    switch self {
    case .delivered: return
    case .failed(let reason), .refused(let reason):
      try Task.checkCancellation()
      throw ToDoError.notificationFailed(detail: reason)
    }
  }
}
