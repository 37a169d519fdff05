/// When to connect, and who waits for it: the one connection of a client, as a state machine.
///
///     idle --request--> connecting --succeeded--> connected --lost--> idle
///      ^                    |
///      +------ failed ------+      (the next attempt is then delayed by the backoff)
struct Reconnection<Connection: Equatable, Instant: InstantProtocol> where Instant.Duration == Duration {
  private enum State: Equatable {
    case idle
    case connecting
    case connected(Connection)
    case closed
  }

  enum Action: Equatable {
    case use(Connection)
    /// Connect, after waiting; then report `succeeded` or `failed`.
    case connect(after: Duration)
    /// An attempt is under way: wait for how it ends.
    case join
    /// The client is closed.
    case refuse
  }

  private var state = State.idle
  private var failures = 0
  private var notBefore: Instant?
  private let backoff: Backoff

  init(backoff: Backoff) {
    self.backoff = backoff
  }

  /// The connection that calls can use at once.
  var connection: Connection? {
    if case .connected(let connection) = state { connection } else { nil }
  }

  /// A call needs a connection.
  mutating func request(at now: Instant) -> Action {
    switch state {
    case .connected(let connection): return .use(connection)
    case .connecting: return .join
    case .closed: return .refuse
    case .idle:
      state = .connecting
      return .connect(after: notBefore.map { max(.zero, now.duration(to: $0)) } ?? .zero)
    }
  }

  /// An attempt has succeeded.
  ///
  /// - Returns: whether to keep the connection; `false` when the client was closed meanwhile.
  mutating func succeeded(_ connection: Connection) -> Bool {
    guard state == .connecting else { return false }
    state = .connected(connection)
    failures = 0
    notBefore = nil
    return true
  }

  /// An attempt has failed.
  mutating func failed(at now: Instant, jitter: Double) {
    guard state == .connecting else { return }
    state = .idle
    failures += 1
    notBefore = now.advanced(by: backoff.delay(afterFailures: failures, jitter: jitter))
  }

  /// A connection has closed, or is about to. Others are not concerned.
  mutating func lost(_ connection: Connection) {
    if state == .connected(connection) { state = .idle }
  }

  /// - Returns: the connection to close.
  mutating func close() -> Connection? {
    defer { state = .closed }
    return connection
  }
}
