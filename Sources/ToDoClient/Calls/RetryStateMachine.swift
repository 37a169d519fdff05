import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC

/// Decides whether and when a failed call is attempted again.
///
///     attempt --failed--> retry, after a delay ----------------> attempt
///        |    --failed--> authenticate first, without delay ---> attempt
///        +----failed--> fail
///
/// A call is retried if the server was unavailable and a repetition cannot change the result: because the call is idempotent,
/// or because the server has not processed it. `Instant` is a parameter, so tests choose the time.
struct RetryStateMachine<Instant: InstantProtocol> where Instant.Duration == Duration {
  /// The response to a failed attempt.
  enum Action: Equatable {
    /// Attempt the call again after a delay, which ends by the deadline.
    case retry(after: Duration)
    /// Throw the error to the caller.
    case fail
  }

  /// Whether the next attempt must be preceded by a small call that authenticates the connection. A server rejects large
  /// requests on connections that are not authenticated yet.
  private(set) var mustAuthenticateFirst = false

  private var failures = 0
  private let isIdempotent: Bool
  private let retryLimit: Int
  private let backoff: Backoff
  private let deadline: Instant

  /// - Parameters:
  ///   - isIdempotent: Whether repeating a call that was processed returns the same result.
  ///   - retryLimit: The maximum number of retries; an attempt that only authenticates first does not count.
  init(isIdempotent: Bool, retryLimit: Int, backoff: Backoff, deadline: Instant) {
    self.isIdempotent = isIdempotent
    self.retryLimit = retryLimit
    self.backoff = backoff
    self.deadline = deadline
  }

  /// Records that an attempt failed.
  ///
  /// - Parameter jitter: A random number in 0..<1, as in `Backoff`.
  mutating func attemptFailed(with error: RPCError, at now: Instant, jitter: Double) -> Action {
    if error.exceedsUnauthenticatedLimit, !mustAuthenticateFirst {
      mustAuthenticateFirst = true
      return .retry(after: .zero)
    }
    failures += 1
    guard error.isRetriable(isIdempotent: isIdempotent), failures <= retryLimit else { return .fail }
    // The request never left. If there was no connection, the connection manager delays the next attempt to connect.
    if error.isUnsent { return .retry(after: .zero) }
    let delay = max(backoff.delay(afterFailures: failures, jitter: jitter), error.retryAfter ?? .zero)
    return .retry(after: max(.zero, min(delay, now.duration(to: deadline))))
  }
}

extension RPCError {
  /// Whether the request was larger than the server accepts on an unauthenticated connection. The server has not processed
  /// the request.
  var exceedsUnauthenticatedLimit: Bool {
    guard domain == Self.rpcDomain, reason == Self.messageTooLarge(1, limit: 0).reason,
      let limit = metadata["max_bytes"].flatMap({ Int($0) })
    else { return false }
    return limit < FrameHeader.maximumLength
  }

  /// Whether the server has certainly not processed the call. The connection then accepts no more calls.
  var isUnprocessed: Bool {
    isUnsent || (domain == RPCError.rpcDomain && reason == RPCError.shuttingDown.reason)
  }

  /// Whether a retry can succeed and cannot change the result.
  fileprivate func isRetriable(isIdempotent: Bool) -> Bool {
    // The server retries its geocoder by itself.
    if case .geocoderUnavailable? = ToDoError(self) { return false }
    return code == .unavailable && (isIdempotent || isUnprocessed)
  }
}
