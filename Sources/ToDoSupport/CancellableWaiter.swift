import Synchronization

/// One task's wait for a value that another task or thread provides.
///
///     created --value()--> waiting --resume or cancellation--> finished
///        |                                                        ^
///        +--resume or cancellation--> resolved --value()----------+
///
/// The first outcome counts, whichever of these comes first: a call of `resume`, or the cancellation of the task that waits.
/// Later outcomes have no effect. `resume` may precede the wait, so there is no interval in which a resumption is lost.
///
/// To use it, create a waiter, store it where the value's provider finds it, call `value()`, and remove the waiter when
/// `value()` returns or throws. A provider that removes a waiter from that storage must resume it.
///
/// - Precondition: `value()` is called at most once.
package final class CancellableWaiter<Value: Sendable>: Sendable {

  fileprivate enum State {
    case created
    case waiting(CheckedContinuation<Value, any Error>)
    case resolved(Result<Value, any Error>)
    case finished
  }

  private let state = Mutex(State.created)

  /// Creates a waiter that has no outcome yet.
  package init() {}

  /// Returns the value once it is provided, or immediately if it already was.
  ///
  /// - Throws: The error passed to `resume(throwing:)`; `CancellationError` if the task is canceled first.
  package func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { $0.wait(continuation) }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      resume(throwing: CancellationError())
    }
  }

  /// Ends the wait with a result. Safe to call from any thread; it never suspends the caller.
  ///
  /// - Returns: Whether the result is the outcome; `false` if the waiter already had one.
  @discardableResult
  package func resume(with result: Result<Value, any Error>) -> Bool {
    switch state.withLock({ $0.resolve(result) }) {
    case .resume(let continuation):
      // Resume outside the lock: the task may run before this returns.
      continuation.resume(with: result)
      return true
    case .store: return true
    case .ignore: return false
    }
  }

  /// Ends the wait with a value; otherwise as `resume(with:)`.
  @discardableResult
  package func resume(returning value: Value) -> Bool { resume(with: .success(value)) }

  /// Ends the wait with an error; otherwise as `resume(with:)`.
  @discardableResult
  package func resume(throwing error: any Error) -> Bool { resume(with: .failure(error)) }
}

extension CancellableWaiter where Value == Void {
  /// Ends the wait; otherwise as `resume(with:)`.
  @discardableResult
  package func resume() -> Bool { resume(with: .success(())) }
}

extension CancellableWaiter.State {
  fileprivate enum Resolution {
    case resume(CheckedContinuation<Value, any Error>)
    case store
    case ignore
  }

  /// Returns the outcome if there is one already.
  fileprivate mutating func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Result<Value, any Error>? {
    switch self {
    case .created:
      self = .waiting(continuation)
      return nil
    case .resolved(let outcome):
      self = .finished
      return outcome
    case .waiting, .finished: preconditionFailure("value() was called twice")
    }
  }

  fileprivate mutating func resolve(_ outcome: Result<Value, any Error>) -> Resolution {
    switch self {
    case .created:
      self = .resolved(outcome)
      return .store
    case .waiting(let continuation):
      self = .finished
      return .resume(continuation)
    case .resolved, .finished: return .ignore
    }
  }
}
