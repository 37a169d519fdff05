import ToDoModel

/// A service that is ready for use, and what `todo status` tells about it.
struct ServiceConnection: Sendable {
  var service: any ToDoService
  /// Where the service is: an endpoint, or `embedded` and a path.
  var endpoint: String
  /// Asks whether requests are answered.
  var health: @Sendable () async throws -> Health
  /// How the connection is, now and whenever it changes; `nil` when there is none, since the service is in this process.
  var connectionStates: (@Sendable () -> AsyncStream<ConnectionState>)?
  /// Ends the connection; nothing is used after it.
  var close: @Sendable () async -> Void = {}

  enum Health: String, Sendable {
    case serving = "SERVING"
    case notServing = "NOT_SERVING"
    case unknown = "UNKNOWN"
  }
}
