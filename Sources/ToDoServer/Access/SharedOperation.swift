import Synchronization

/// Runs an operation once for all callers that request it while an earlier run is in progress.
///
/// A run that started before a request may miss state that the caller needs. So the caller waits for the next run, and at
/// most two runs pass before its request is served.
final class SharedOperation<Value: Sendable>: Sendable {
  private enum Turn {
    /// The caller runs the operation, for itself and for every caller that waits now.
    case run
    /// Another caller has run the operation.
    case done(Result<Value, any Error>)
  }

  private struct State {
    var isRunning = false
    var waiters: [CheckedContinuation<Turn, Never>] = []
  }

  private let state = Mutex(State())

  /// Returns the result of a run of `operation` that starts after this call.
  ///
  /// - Parameter operation: the operation, which is the same for all callers.
  func run(_ operation: @Sendable () async throws -> Value) async throws -> Value {
    while true {
      switch await nextTurn() {
      case .run: return try await lead(operation)
      // The task that ran the operation was canceled, not the current task.
      case .done(.failure(is CancellationError)): try Task.checkCancellation()
      case .done(let result): return try result.get()
      }
    }
  }

  private func nextTurn() async -> Turn {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isRunning { state.waiters.append(continuation) }
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if isFree { continuation.resume(returning: .run) }
    }
  }

  private func lead(_ operation: @Sendable () async throws -> Value) async throws -> Value {
    let followers = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    let result: Result<Value, any Error>
    do { result = .success(try await operation()) } catch { result = .failure(error) }
    for follower in followers { follower.resume(returning: .done(result)) }
    let next = state.withLock { state in
      state.isRunning = !state.waiters.isEmpty
      return state.waiters.isEmpty ? nil : state.waiters.removeFirst()
    }
    next?.resume(returning: .run)
    return try result.get()
  }
}
