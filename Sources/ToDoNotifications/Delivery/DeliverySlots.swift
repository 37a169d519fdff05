import Synchronization
import ToDoSupport

/// Limits the number of lists that send reminders at the same time.
final class DeliverySlots: Sendable {
  private struct State {
    var free: Int
    var waiters: [CancellableWaiter<Void>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Runs `body` when a slot is free, in the order of the calls.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits; the error of `body`.
  func run<Value>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value) async throws -> Value
  {
    let waiter = CancellableWaiter<Void>()
    let isFree = state.withLock { state in
      guard state.free > 0 else {
        state.waiters.append(waiter)
        return false
      }
      state.free -= 1
      return true
    }
    if !isFree {
      do { try await waiter.value() } catch {
        state.withLock { state in state.waiters.removeAll { $0 === waiter } }
        throw error
      }
    }
    defer { release() }
    return try await body()
  }

  /// Passes the slot to the first waiter that was not cancelled.
  private func release() {
    while true {
      let next = state.withLock { state -> CancellableWaiter<Void>? in
        guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
        state.free += 1
        return nil
      }
      guard let next, !next.resume() else { return }
    }
  }
}
