import ToDoModel
import ToDoProtocol
import ToDoRPC

/// The position of a watch, and the decision how the watch recovers from a failure.
///
///     starting --input--> established --failure--> resuming  --input--> established
///        |                          --failure--> restarting --input--> established
///        +--failure--> failed       --failure--> failed
///
/// A watch resumes after the last complete revision that its consumer has. It restarts with a snapshot if it failed inside
/// of one, or if the service no longer has the changes after that revision.
struct WatchResumption {
  /// The failures that a watch recovers from.
  enum Policy: Equatable, Sendable {
    /// A service's watch. It recovers only from errors that belong to the watch: it was too slow, or its revision is
    /// gone. There is no delay, so an attempt that fails before its first event is not repeated.
    case service
    /// A watch over connections. It also recovers from lost connections and an unavailable store, after a delay. Before
    /// its first message it is retried at most `retryLimit` times.
    case connection(retryLimit: Int, backoff: Backoff)
  }

  /// The response to a failure.
  enum Recovery: Equatable {
    /// Start again from `start` after a delay.
    case resume(after: Duration)
    /// Start again from `start` after a delay, and first emit `WatchEvent.restarted`.
    case restart(after: Duration)
    /// Throw the error to the consumer.
    case fail
  }

  /// The start of the next attempt.
  private(set) var start: WatchStart
  private let policy: Policy
  /// Whether any attempt has received any input.
  private var isEstablished = false
  /// Whether the current attempt has received any input.
  private var hasInput = false
  /// The number of consecutive failures without any input.
  private var failures = 0
  /// Whether the consumer has received a part of a snapshot, but not its end.
  private var isInsideSnapshot = false
  /// The incarnation of the watched list; `nil` until an event contains it.
  private var incarnation: ListIncarnation?

  /// Creates the state of a watch that has not begun.
  init(from start: WatchStart, policy: Policy) {
    self.start = start
    self.policy = policy
    if case .after(let revision) = start { incarnation = revision.incarnation }
  }

  /// Records an input other than an event.
  mutating func receivePartialInput() {
    (isEstablished, hasInput, failures) = (true, true, 0)
  }

  /// Records an event that the consumer receives.
  mutating func receive(_ event: WatchEvent) {
    receivePartialInput()
    switch event {
    case .restarted:
      start = .snapshot
      isInsideSnapshot = true
    case .snapshotPage:
      isInsideSnapshot = true
    case .snapshotEnd(let revision):
      isInsideSnapshot = false
      incarnation = revision.incarnation
      start = .after(revision)
    case .changes(let set):
      start = .after(qualified(set.revision))
    case .progress(let revision):
      incarnation = revision.incarnation
      start = .after(revision)
    }
  }

  /// Records that the current attempt ended for a reason that does not concern its list.
  ///
  /// - Returns: Whether to emit `WatchEvent.restarted` before the next attempt's events.
  mutating func interrupt() -> Bool {
    defer { (hasInput, isInsideSnapshot) = (false, false) }
    return isInsideSnapshot
  }

  /// Records that the current attempt failed or could not begin.
  ///
  /// - Parameter jitter: A random number in 0..<1, as in `Backoff`.
  mutating func fail(_ error: any Error, jitter: Double) -> Recovery {
    failures += 1
    defer { hasInput = false }
    switch Failure(error) {
    case .revisionLost where canRestart:
      start = .snapshot
      isInsideSnapshot = false
      return .restart(after: delay(jitter))
    case .tooSlow(let resume) where policy == .service && hasInput:
      if start != .snapshot { start = .after(qualified(resume)) }
      return recover(jitter)
    case .tooSlow where isRetried, .unavailable where isRetried:
      return recover(jitter)
    case .revisionLost, .tooSlow, .unavailable, .other:
      return .fail
    }
  }

  private mutating func recover(_ jitter: Double) -> Recovery {
    defer { isInsideSnapshot = false }
    return isInsideSnapshot ? .restart(after: delay(jitter)) : .resume(after: delay(jitter))
  }

  /// Whether a watch whose revision is gone starts again with a snapshot. Before the first input, the consumer receives the
  /// error, because it requested that revision.
  private var canRestart: Bool {
    switch policy {
    // A snapshot that fails immediately would fail again.
    case .service: isEstablished && (hasInput || start != .snapshot)
    case .connection: isEstablished
    }
  }

  /// Whether a watch is retried after an interruption.
  private var isRetried: Bool {
    switch policy {
    case .service: false
    case .connection(let retryLimit, _): isEstablished || failures <= retryLimit
    }
  }

  private func delay(_ jitter: Double) -> Duration {
    switch policy {
    case .service: .zero
    case .connection(_, let backoff): backoff.delay(afterFailures: failures, jitter: jitter)
    }
  }

  /// Returns a revision with the incarnation of the watched list.
  private func qualified(_ revision: Revision) -> Revision {
    Revision(revision.number, of: revision.incarnation ?? incarnation)
  }
}

extension WatchResumption {
  /// The kinds of errors that the recovery depends on.
  private enum Failure {
    /// The service no longer has the changes after the revision, or never had it because an earlier state was restored.
    case revisionLost
    /// The consumer was too slow.
    case tooSlow(resume: Revision)
    /// The server or its store was unavailable.
    case unavailable
    case other

    init(_ error: any Error) {
      switch (error as? ToDoError) ?? (error as? RPCError).flatMap(ToDoError.init) {
      case .revisionCompacted, .revisionInFuture, .listReplaced: self = .revisionLost
      case .watchTooSlow(let resume): self = .tooSlow(resume: resume)
      case .storeUnavailable: self = .unavailable
      case nil: self = (error as? RPCError)?.code == .unavailable ? .unavailable : .other
      default: self = .other
      }
    }
  }
}
