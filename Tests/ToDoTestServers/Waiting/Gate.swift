import Synchronization

/// A gate at which tasks wait until a test opens it.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
    var next = 0
  }

  private let state = Mutex(State())

  package init() {}

  package func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the gate is open.
  ///
  /// - Throws: `CancellationError`.
  package func wait() async throws {
    let id = newID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(id, $0) }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: id)
        if waiter == nil { state.cancelled.insert(id) }
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Waits until the gate is open, ignoring cancellation.
  package func waitStubbornly() async {
    let id = newID()
    try? await withCheckedThrowingContinuation { wait(id, $0) }
  }

  private func newID() -> Int {
    state.withLock { state in
      state.next += 1
      return state.next
    }
  }

  private func wait(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let result: Result<Void, any Error>? = state.withLock { state in
      if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
      if state.isOpen { return .success(()) }
      state.waiters[id] = continuation
      return nil
    }
    if let result { continuation.resume(with: result) }
  }
}
