package import ToDoModel
import ToDoProtocol
import ToDoRPC

/// A watch that resumes after failures: attempts, one after another, as `WatchResumption` decides.
final class ResumingWatch {
  private var resumption: WatchResumption
  private let timing: ClientTiming
  private let makeAttempt: (WatchStart) async throws -> any WatchAttempt
  private let connectionStateChanged: (WatchConnectionState) -> Void
  private var attempt: (any WatchAttempt)?
  private var connectionState: WatchConnectionState?
  private var hasEnded = false

  /// Creates a watch that begins when `next` is first called.
  ///
  /// - Parameters:
  ///   - connectionStateChanged: Called before the events that follow from the new state.
  ///   - makeAttempt: Starts an attempt.
  init(
    from start: WatchStart, policy: WatchResumption.Policy, timing: ClientTiming = .system,
    connectionStateChanged: @escaping (WatchConnectionState) -> Void = { _ in },
    makeAttempt: @escaping (WatchStart) async throws -> any WatchAttempt
  ) {
    resumption = WatchResumption(from: start, policy: policy)
    self.timing = timing
    self.connectionStateChanged = connectionStateChanged
    self.makeAttempt = makeAttempt
  }

  /// Returns the next event, or `nil` after the end.
  ///
  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`. An error ends the watch.
  func next() async throws -> WatchEvent? {
    while !hasEnded {
      do {
        let input = try await nextInput()
        if input != .end { report(.connected) }
        switch input {
        case .event(let event):
          resumption.receive(event)
          return event
        case .partial: resumption.receivePartialInput()
        case .end: end()
        }
      } catch {
        attempt = nil
        if let event = try await recover(from: error) { return event }
      }
    }
    return nil
  }

  private func nextInput() async throws -> WatchInput {
    if let attempt { return try await attempt.next() }
    if connectionState == nil { report(.connecting) }
    let attempt = try await makeAttempt(resumption.start)
    self.attempt = attempt
    return try await attempt.next()
  }

  /// Waits until the next attempt is due, or throws the error that ends the watch.
  ///
  /// - Returns: The event that precedes the next attempt's.
  private func recover(from error: any Error) async throws -> WatchEvent? {
    guard !Task.isCancelled else {
      end()
      throw CancellationError()
    }
    let (delay, event): (Duration, WatchEvent?)
    switch resumption.fail(error, jitter: timing.jitter()) {
    case .resume(let duration): (delay, event) = (duration, nil)
    case .restart(let duration): (delay, event) = (duration, .restarted)
    case .fail:
      end()
      throw (error as? RPCError).flatMap(ToDoError.init) ?? error
    }
    if connectionState == .connected { report(.lost) }
    guard delay > .zero else { return event }
    do { try await timing.sleep(for: delay) } catch {
      end()
      throw error
    }
    return event
  }

  private func end() {
    attempt = nil
    hasEnded = true
  }

  private func report(_ state: WatchConnectionState) {
    guard connectionState != state else { return }
    connectionState = state
    connectionStateChanged(state)
  }
}

/// The state of a watch's connection.
@nonexhaustive
public enum WatchConnectionState: Sendable {
  /// The first connection is being established.
  case connecting
  /// The connection is established, and events arrive as they occur.
  case connected
  /// The connection was lost and is being reestablished.
  case lost
}

extension ToDoService {
  /// Watches the list until the task is canceled, and also recovers from the errors that end `watch`.
  ///
  /// If more changed while `body` was busy than the service holds for one watch, the watch resumes after the last event.
  /// If the service no longer has the changes after that event, it emits `WatchEvent.restarted` and a snapshot.
  ///
  /// - Parameter body: Called with each event in turn.
  /// - Throws: The errors of `body`; the errors of the watch before its first event, and those that it cannot recover from.
  package func watchContinuously(
    from start: WatchStart, state: ItemState = .all, filter: ItemFilter = ItemFilter(),
    _ body: (WatchEvent) async throws -> Void
  ) async throws {
    let watch = ResumingWatch(from: start, policy: .service) { start in
      ServiceWatchAttempt(self.watch(from: start, state: state, filter: filter))
    }
    while let event = try await watch.next() { try await body(event) }
  }
}
