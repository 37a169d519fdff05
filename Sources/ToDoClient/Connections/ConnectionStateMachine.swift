/// The one connection that the calls of a client share, as a state machine.
///
///     idle --request--> connecting --connected--> connected --lost--> idle
///      ^                    |
///      +------ failed ------+      (the backoff delays the next attempt)
///
/// `close` leads from every state to `closed`, which is final.
struct ConnectionStateMachine<Connection: Equatable, Instant: InstantProtocol> where Instant.Duration == Duration {
  private enum State: Equatable {
    case idle
    case connecting
    case connected(Connection)
    case closed
  }

  /// The response to a call's request for a connection.
  enum Action: Equatable {
    /// Use this connection.
    case use(Connection)
    /// Connect after a delay, then report `connected` or `failed`; the call waits for that result.
    case connect(after: Duration)
    /// An attempt is in progress: wait for its result.
    case wait
    /// Fail the call, because the client is closed.
    case reject
  }

  private var state = State.idle
  private var failures = 0
  private var nextAttempt: Instant?
  private let backoff: Backoff

  init(backoff: Backoff) {
    self.backoff = backoff
  }

  /// The established connection; `nil` in every other state.
  var connection: Connection? {
    if case .connected(let connection) = state { connection } else { nil }
  }

  /// Requests a connection for a call.
  mutating func request(at now: Instant) -> Action {
    switch state {
    case .connected(let connection): return .use(connection)
    case .connecting: return .wait
    case .closed: return .reject
    case .idle:
      state = .connecting
      return .connect(after: nextAttempt.map { max(.zero, now.duration(to: $0)) } ?? .zero)
    }
  }

  /// Records that an attempt succeeded.
  ///
  /// - Returns: Whether to keep the connection; `false` if the client was closed during the attempt.
  mutating func connected(_ connection: Connection) -> Bool {
    guard state == .connecting else { return false }
    state = .connected(connection)
    failures = 0
    nextAttempt = nil
    return true
  }

  /// Records that an attempt failed.
  mutating func failed(at now: Instant, jitter: Double) {
    guard state == .connecting else { return }
    state = .idle
    failures += 1
    nextAttempt = now.advanced(by: backoff.delay(afterFailures: failures, jitter: jitter))
  }

  /// Records that a connection has closed or accepts no more calls. Any connection but the current one is ignored.
  mutating func lost(_ connection: Connection) {
    if state == .connected(connection) { state = .idle }
  }

  /// Rejects all requests from now on.
  ///
  /// - Returns: The connection to close.
  mutating func close() -> Connection? {
    defer { state = .closed }
    return connection
  }
}
