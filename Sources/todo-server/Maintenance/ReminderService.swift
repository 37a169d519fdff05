#if Nominatim
import Logging
import ServiceLifecycle
import ToDoModel
import ToDoNotifications
import ToDoRPC
import ToDoRules

/// Sends the reminders of users with targets until the server shuts down.
struct ReminderService: Service {
  let runner: ReminderRunner

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - source: the targets and the lists.
  ///   - sender: sends the messages.
  init(
    _ source: ReminderRunner.Source, _ sender: HTTPNotificationSender, _ observability: Observability, _ logger: Logger
  ) {
    let report = DeliveryReport(logger: logger, metrics: observability.metrics)
    runner = ReminderRunner(source, sender: sender, report: report)
  }

  func run() async {
    await cancelWhenGracefulShutdown { await runner.run() }
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
