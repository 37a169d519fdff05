import ToDoModel

/// An open service, with the details that `todo status` prints.
struct ServiceConnection: Sendable {
  /// The items of the selected list.
  var service: any ToDoService
  /// The user's lists.
  var lists: any ToDoListService
  /// The targets to which a server sends reminders; `nil` if the service runs in this process.
  var notifications: (any NotificationService)?
  /// The service that takes reports of the user's position; `nil` if the items' service runs in this process.
  var positions: (any PositionService)?
  /// The service that knows which reminders are due; `nil` if the items' service runs in this process.
  var reminders: (any ReminderService)?
  /// The user's calendar feeds; `nil` if the service runs in this process.
  var feeds: (any CalendarFeedService)?
  /// The service for links that sign a browser in; `nil` if the service runs in this process.
  var signIn: (any SignInService)?
  /// Watches the items of several lists of the user.
  var listWatches: (any ListWatchService)?
  /// The selected list; `nil` if none is selected, so that the service has the items of the default one.
  var list: UserList?
  /// The location of the service: an endpoint, or `embedded` and a path.
  var endpoint: String
  /// Queries whether the service accepts requests.
  var health: @Sendable () async throws -> Health
  /// Returns the states of the connection, beginning with the current one. `nil` if the service runs in this process.
  var connectionStates: (@Sendable () -> AsyncStream<ConnectionState>)?
  /// Closes the connection. The service must not be used afterwards.
  var close: @Sendable () async -> Void = {}

  /// The health of a service, with the names of gRPC's health checking protocol.
  enum Health: String, Sendable {
    case serving = "SERVING"
    case notServing = "NOT_SERVING"
    case unknown = "UNKNOWN"
  }
}

extension ServiceConnection {
  /// The server's endpoint, or the local list's file, with a heading.
  var location: (heading: String, text: String) {
    let prefix = "embedded "
    return endpoint.hasPrefix(prefix) ? ("list", String(endpoint.dropFirst(prefix.count))) : ("server", endpoint)
  }
}
