#if Nominatim
import ToDoHTTP
package import ToDoModel
package import ToDoRules
package import ToDoSMTP

/// Sends messages to email addresses, by one mail server.
package struct EmailNotificationSender: NotificationSender {
  private let client: SMTPClient
  private let address: EmailAddress
  private let clock: any Clock<Duration>
  private let wallClock: any WallClock
  private let timeZones: any TimeZones

  /// The time limit of an attempt: less than the 30 s that a client awaits an addition.
  static let limit = Duration.seconds(25)

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - address: the sender's address.
  ///   - clock: the clock of the time limit.
  ///   - wallClock: the clock of messages that are not reminders.
  package init(
    _ client: SMTPClient, from address: EmailAddress, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: any WallClock = SystemWallClock(), timeZones: any TimeZones = TimeZoneFiles()
  ) {
    (self.client, self.address) = (client, address)
    (self.clock, self.wallClock, self.timeZones) = (clock, wallClock, timeZones)
  }

  package func send(_ message: NotificationMessage, to target: NotificationTarget) async -> DeliveryOutcome {
    guard target.isConfirmed else { return .refused("the address is not confirmed") }
    guard let recipient = target.emailAddress else { return .refused("the target is invalid") }
    let email = EmailMessage(message, from: address, to: recipient) { timeZones.rules(of: $0) }
    return await deliver(email, to: recipient)
  }

  private func deliver(_ email: EmailMessage, to recipient: EmailAddress) async -> DeliveryOutcome {
    let message = SMTPMessage(from: address, to: recipient, text: email.text)
    do {
      let outcome = try await withDeadline(after: Self.limit, clock: clock) { [client] in
        try await client.send(message)
      }
      switch outcome {
      case .accepted: return .delivered
      case .failed(let reason): return .failed(reason)
      case .refused(let reason): return .refused(reason)
      }
    } catch HTTPError.timedOut {
      return .failed("the mail server did not respond in time")
    } catch {
      return .failed("the attempt was cancelled")
    }
  }
}

extension EmailNotificationSender: ConfirmationSender {
  package func sendConfirmation(code: String, to target: NotificationTarget) async throws {
    guard let recipient = target.emailAddress else {
      throw ToDoError.notificationFailed(detail: "the target is invalid")
    }
    let id = "confirmation-\(ItemID())"
    let email = EmailMessage(code: code, id: id, from: address, to: recipient, date: wallClock.now())
    try await deliver(email, to: recipient).requireDelivery()
  }
}
#endif
