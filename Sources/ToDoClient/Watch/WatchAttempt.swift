import ToDoModel

/// The result of one step in a watch attempt.
enum WatchInput: Equatable {
  /// The next event.
  case event(WatchEvent)
  /// A message that completes no event: a part of a revision, or a kind of message from a later schema version.
  case partial
  /// The watch has ended without an error.
  case end
}

/// One attempt at a watch, from a start until it ends or fails. Releasing the attempt cancels it.
protocol WatchAttempt: AnyObject {
  /// Returns the next input. It is not called again after it threw or returned `end`.
  ///
  /// - Throws: Any error that ends the attempt; `WatchResumption` decides whether another one follows.
  func next() async throws -> WatchInput
}

/// A watch of a service that delivers whole events.
final class ServiceWatchAttempt: WatchAttempt {
  private var events: WatchEvents.AsyncIterator

  /// Starts to watch the service when `next` is first called.
  init(_ events: WatchEvents) {
    self.events = events.makeAsyncIterator()
  }

  func next() async throws -> WatchInput {
    var events = events
    guard let event = try await events.next() else { return .end }
    self.events = events
    return .event(event)
  }
}
