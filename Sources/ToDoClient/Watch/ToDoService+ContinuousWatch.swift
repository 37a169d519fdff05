package import ToDoModel

extension ToDoService {
  /// Watches the list until the task is cancelled, and also recovers from the errors that end `watch`.
  ///
  /// If more changed while `body` was busy than the service holds for one watch, the watch resumes after the last event.
  /// If the service no longer has the changes after that event, it emits `WatchEvent.restarted` and a snapshot.
  ///
  /// - Parameter body: Called with each event in turn.
  /// - Throws: The errors of `body`; the errors of the watch before its first event, and those that it cannot recover from.
  package func watchContinuously(
    from start: WatchStart, state: ItemState = .all, _ body: (WatchEvent) async throws -> Void
  ) async throws {
    let watch = ResumingWatch(from: start, policy: .service) { start in
      ServiceWatchAttempt(self.watch(from: start, state: state))
    }
    while let event = try await watch.next() { try await body(event) }
  }
}
