import Synchronization
import TTRPC
import TTRPCTransport

/// Keeps one connection for all calls of a client, and makes a new one when it is gone and a call needs it.
final class ConnectionKeeper: Sendable {
  private struct State {
    var machine: Reconnection<KeptConnection, ContinuousClock.Instant>
    var waiters: [Int: CheckedContinuation<ClientConnection, any Error>] = [:]
    var nextWaiter = 0
    var cancelledWaiters: Set<Int> = []

    mutating func takeWaiters() -> [CheckedContinuation<ClientConnection, any Error>] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let state: Mutex<State>
  private let connect: @Sendable () async throws -> ClientConnection

  init(backoff: Backoff, connect: @escaping @Sendable () async throws -> ClientConnection) {
    state = Mutex(State(machine: Reconnection(backoff: backoff)))
    self.connect = connect
  }

  /// The connection, when it is open.
  var open: ClientConnection? {
    state.withLock { state in
      guard let kept = state.machine.connection else { return nil }
      if kept.connection.isOpen { return kept.connection }
      state.machine.lost(kept)
      return nil
    }
  }

  /// The open connection, or the next one.
  ///
  /// - Throws: what connecting failed with; `RPCError` when the client is closed; `CancellationError`.
  func connection() async throws -> ClientConnection {
    if let open { return open }
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    defer { state.withLock { _ = $0.cancelledWaiters.remove(id) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(id, $0) }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: id)
        if waiter == nil { state.cancelledWaiters.insert(id) }
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// A connection takes no more calls though it may still be open.
  func discard(_ connection: ClientConnection) {
    state.withLock { $0.machine.lost(KeptConnection(connection)) }
  }

  /// Closes the connection and refuses all calls from now on.
  func close() async {
    let (kept, waiters) = state.withLock { state in (state.machine.close(), state.takeWaiters()) }
    for waiter in waiters { waiter.resume(throwing: RPCError.clientClosed) }
    await kept?.connection.close()
  }

  private func wait(_ id: Int, _ continuation: CheckedContinuation<ClientConnection, any Error>) {
    let action = state.withLock { state -> Reconnection<KeptConnection, ContinuousClock.Instant>.Action? in
      guard state.cancelledWaiters.remove(id) == nil else { return nil }
      let action = state.machine.request(at: .now)
      switch action {
      case .join, .connect: state.waiters[id] = continuation
      case .use, .refuse: break
      }
      return action
    }
    switch action {
    case nil: continuation.resume(throwing: CancellationError())
    case .use(let kept): continuation.resume(returning: kept.connection)
    case .refuse: continuation.resume(throwing: RPCError.clientClosed)
    case .join: break
    // The attempt is shared by all who wait, so it is no one's child task; it ends by the connect timeout.
    case .connect(let delay): Task { await attempt(after: delay) }
    }
  }

  private func attempt(after delay: Duration) async {
    do {
      try await Task.sleep(for: delay)
      let connection = try await connect()
      let (isKept, waiters) = state.withLock { state in
        (state.machine.succeeded(KeptConnection(connection)), state.takeWaiters())
      }
      for waiter in waiters { waiter.resume(returning: connection) }
      if !isKept { await connection.close() }
    } catch {
      let waiters = state.withLock { state in
        state.machine.failed(at: .now, jitter: .random(in: 0..<1))
        return state.takeWaiters()
      }
      for waiter in waiters { waiter.resume(throwing: error) }
    }
  }
}

/// A connection, compared by identity.
private struct KeptConnection: Equatable {
  let connection: ClientConnection

  init(_ connection: ClientConnection) {
    self.connection = connection
  }

  static func == (left: KeptConnection, right: KeptConnection) -> Bool { left.connection === right.connection }
}

extension RPCError {
  fileprivate static let clientClosed = RPCError.unavailable("the client is closed", isUnsent: true)
}
