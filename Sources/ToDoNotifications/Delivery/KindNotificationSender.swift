package import ToDoModel
import ToDoRules

/// Sends each message by the sender for the target's kind.
package struct KindNotificationSender: NotificationSender {
  private let web: any NotificationSender
  private let email: (any NotificationSender)?
  private let wallClock: any WallClock

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - web: sends to ntfy servers and webhooks.
  ///   - email: sends to email addresses; `nil` if the server sends no email, as after the operator has turned it off.
  ///   - wallClock: the clock of test messages.
  package init(
    web: any NotificationSender, email: (any NotificationSender)?, wallClock: any WallClock = SystemWallClock()
  ) {
    (self.web, self.email, self.wallClock) = (web, email, wallClock)
  }

  package func send(_ message: NotificationMessage, to target: NotificationTarget) async -> DeliveryOutcome {
    switch target.kind {
    case .ntfy, .webhook: await web.send(message, to: target)
    case .email: await email?.send(message, to: target) ?? .refused("this server sends no email")
    }
  }
}

extension KindNotificationSender: NotificationTester {
  package func sendTest(to target: NotificationTarget) async throws {
    let message = NotificationMessage(id: "test-\(ItemID())", time: wallClock.now(), content: .test)
    try await send(message, to: target).requireDelivery()
  }
}
