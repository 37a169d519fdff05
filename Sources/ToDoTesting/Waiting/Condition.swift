import Synchronization
package import Testing

/// A value with a condition that tasks can wait for.
package final class Condition<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var lastID = 0
  }

  private struct Waiter {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state: Mutex<State>

  /// Creates a condition of a value.
  package init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  /// The current value.
  package var value: Value { state.withLock(\.value) }

  /// Changes the value, and resumes the tasks whose condition it meets.
  package func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    let (result, met) = try state.withLock { state in
      let result = try body(&state.value)
      let met = state.waiters.filter { $0.value.isMet(state.value) }
      for id in met.keys { state.waiters[id] = nil }
      return (result, met.values.map(\.continuation))
    }
    for continuation in met { continuation.resume() }
    return result
  }

  /// Waits until the condition is met or the task is canceled.
  ///
  /// Records an issue at the caller's line, and returns, if neither happens within `TestLimits.wait`.
  package func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until isMet: @escaping @Sendable (Value) -> Bool
  ) async {
    if isMet(value) { return }
    try? await withWaitLimit("no value that meets the condition was published", sourceLocation: sourceLocation) {
      await self.waitWithoutLimit(until: isMet)
    }
  }

  private func waitWithoutLimit(until isMet: @escaping @Sendable (Value) -> Bool) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || isMet(state.value) { return true }
          state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.continuation.resume()
    }
  }
}
