import Logging
import ServiceLifecycle
import ToDoModel
import ToDoNotifications
import ToDoRPC
import ToDoRules
import ToDoSMTP
import ToDoServer

/// Sends the reminders of users with targets until the server shuts down.
struct ReminderDelivery: Service {
  /// The targets, which users choose.
  let users: UserNotifications
  /// Sends the reminders that positions have triggered.
  let places: PlaceNotifier
  private let runner: ReminderRunner

  func run() async {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await runner.run() }
        group.addTask { await places.run() }
      }
    }
  }
}

#if Nominatim
extension ReminderDelivery {
  /// Creates a service.
  ///
  /// - Parameters:
  ///   - source: the targets and the lists.
  ///   - web: sends the messages to ntfy servers and webhooks.
  ///   - email: sends those to email addresses; `nil` if users can have none as targets.
  ///   - writeRate: limits each user's changes to targets and test messages.
  init(
    _ source: ReminderRunner.Source, _ web: HTTPNotificationSender, _ email: EmailNotificationSender?,
    _ writeRate: WriteRateLimiter, _ observability: Observability, _ logger: Logger
  ) {
    let sender = KindNotificationSender(web: web, email: email)
    let report = DeliveryReport(logger: logger, metrics: observability.metrics)
    users = UserNotifications(
      source.accounts, tester: sender, writeRate: writeRate, failures: report,
      confirmations: email.map { EmailConfirmations(sender: $0) })
    runner = ReminderRunner(source, sender: sender, report: report)
    places = PlaceNotifier(source.accounts, sender: sender, report: report)
  }
}

extension EmailNotificationSender {
  /// Creates the sender that the settings specify.
  init(_ settings: EmailSettings) throws {
    self.init(try SMTPClient(settings.server, credentials: settings.credentials), from: settings.sender)
  }
}

extension HTTPNotificationSender {
  /// Creates the sender that the settings specify, or returns `nil` if they enable none.
  init?(_ settings: ServerSettings) {
    guard settings.sendsNotifications else { return nil }
    self.init(
      product: "todo-server/\(ServiceInfo.currentVersion)",
      policy: settings.permitsPrivateNotifications ? .any : .publicOnly)
  }
}
#endif
