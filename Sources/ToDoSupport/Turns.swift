import Dispatch
import Synchronization

/// A lock that threads get in the order in which they ask for it.
///
/// Threads that ask again at once, as one with many short pieces of work does, leave the others their turns.
package final class Turns: Sendable {
  private struct State {
    var isTaken = false
    /// The threads that wait, the longest first.
    var waiting: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())

  /// Creates a lock that no thread has.
  package init() {}

  /// The number of threads that wait.
  package var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Waits for the thread's turn, and runs `body`. It must not ask for the same lock.
  package func take<Value>(_ body: () throws -> Value) rethrows -> Value {
    begin()
    defer { end() }
    return try body()
  }

  private func begin() {
    let turn = state.withLock { state -> DispatchSemaphore? in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.waiting.append(turn)
      return turn
    }
    turn?.wait()
  }

  /// Passes the lock on to the thread that waits longest.
  private func end() {
    let next = state.withLock { state -> DispatchSemaphore? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.signal()
  }
}
