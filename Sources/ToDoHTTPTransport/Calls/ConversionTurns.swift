#if HTTP
import Synchronization

/// Converts long messages one at a time, in order of arrival, so that their conversion never occupies every thread. Callable
/// from any thread.
final class ConversionTurns: Sendable {
  private struct State {
    var isTaken = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// The size of a message above which its conversion takes its turn, and leaves the event loop.
  static let longMessage = 32 << 10

  /// Runs a function when no other one runs.
  ///
  /// - Throws: `CancellationError` if the task was cancelled while it waited.
  func run<Value: Sendable>(_ body: () throws -> Value) async throws -> Value {
    await begin()
    defer { end() }
    try Task.checkCancellation()
    return try body()
  }

  private func begin() async {
    await withCheckedContinuation { continuation in
      let mayRun = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiters.append(continuation)
        return false
      }
      if mayRun { continuation.resume() }
    }
  }

  private func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}
#endif
