import Synchronization
import ToDoRPC
import ToDoSupport
import ToDoTTRPCTransport

/// Maintains the connection that all calls of a client share. A call that needs a connection when there is none establishes
/// a new one.
final class ConnectionManager: Sendable {
  private typealias Machine = ConnectionStateMachine<ManagedConnection, ContinuousClock.Instant>
  private typealias Waiter = CancellableWaiter<ClientConnection>

  private struct State {
    var machine: Machine
    /// The calls that wait for the attempt in progress.
    var waiters: [ObjectIdentifier: Waiter] = [:]

    mutating func request(for waiter: Waiter, at now: ContinuousClock.Instant) -> Machine.Action {
      let action = machine.request(at: now)
      switch action {
      case .wait, .connect: waiters[ObjectIdentifier(waiter)] = waiter
      case .use, .reject: break
      }
      return action
    }

    mutating func takeWaiters() -> [Waiter] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let state: Mutex<State>
  private let timing: ClientTiming
  private let connect: @Sendable () async throws -> ClientConnection

  /// Creates a manager that does not connect yet.
  init(
    backoff: Backoff, timing: ClientTiming, connect: @escaping @Sendable () async throws -> ClientConnection
  ) {
    state = Mutex(State(machine: Machine(backoff: backoff)))
    self.timing = timing
    self.connect = connect
  }

  /// The established connection; `nil` if there is none or it has closed.
  var openConnection: ClientConnection? {
    state.withLock { state in
      guard let managed = state.machine.connection else { return nil }
      if managed.connection.isOpen { return managed.connection }
      state.machine.lost(managed)
      return nil
    }
  }

  /// Returns the established connection, or waits for the next one.
  ///
  /// - Throws: The error of the attempt to connect; `RPCError` if the client is closed; `CancellationError`.
  func connection() async throws -> ClientConnection {
    if let openConnection { return openConnection }
    // A canceled call does not begin an attempt.
    try Task.checkCancellation()
    let waiter = Waiter()
    switch state.withLock({ $0.request(for: waiter, at: timing.now()) }) {
    case .use(let managed): return managed.connection
    case .reject: throw RPCError.clientClosed
    case .wait: break
    // Every waiting call shares the attempt, so it is no call's child task. The connect timeout bounds it.
    case .connect(let delay): Task { await attempt(after: delay) }
    }
    defer { state.withLock { _ = $0.waiters.removeValue(forKey: ObjectIdentifier(waiter)) } }
    return try await waiter.value()
  }

  /// Stops using a connection that accepts no more calls, even if it is still open.
  func discard(_ connection: ClientConnection) {
    state.withLock { $0.machine.lost(ManagedConnection(connection)) }
  }

  /// Closes the connection, and fails waiting and later calls.
  func close() async {
    let (managed, waiters) = state.withLock { state in (state.machine.close(), state.takeWaiters()) }
    for waiter in waiters { waiter.resume(throwing: RPCError.clientClosed) }
    await managed?.connection.close()
  }

  private func attempt(after delay: Duration) async {
    do {
      try await timing.sleep(for: delay)
      let connection = try await connect()
      let (isKept, waiters) = state.withLock { state in
        (state.machine.connected(ManagedConnection(connection)), state.takeWaiters())
      }
      for waiter in waiters { waiter.resume(returning: connection) }
      if !isKept { await connection.close() }
    } catch {
      let waiters = state.withLock { state in
        state.machine.failed(at: timing.now(), jitter: timing.jitter())
        return state.takeWaiters()
      }
      for waiter in waiters { waiter.resume(throwing: error) }
    }
  }
}

/// A connection, compared by identity.
private struct ManagedConnection: Equatable {
  let connection: ClientConnection

  init(_ connection: ClientConnection) {
    self.connection = connection
  }

  static func == (left: ManagedConnection, right: ManagedConnection) -> Bool { left.connection === right.connection }
}

extension RPCError {
  fileprivate static let clientClosed = RPCError.unavailable("the client is closed", isUnsent: true)
}
