import Synchronization

/// Limits the number of operations that run concurrently, of all owners and of each, which take turns. Callable from any thread.
package final class TaskTurns<Owner: Hashable & Sendable>: Sendable {
  private typealias Schedule = TurnSchedule<Owner, CancellableWaiter<Void>>

  /// The error of an operation if too many of its owner wait.
  package struct Rejection: Error {}

  private let state: Mutex<Schedule>

  /// - Parameters:
  ///   - limit: the maximum number of operations that run.
  ///   - ownerLimit: the maximum number of one owner's operations that run.
  ///   - waitingLimit: the maximum number of one owner's operations that wait.
  package init(limit: Int = .max, ownerLimit: Int = .max, waitingLimit: Int = .max) {
    let limits = Schedule.Limits(running: limit, runningPerOwner: ownerLimit, waitingPerOwner: waitingLimit)
    state = Mutex(Schedule(limits))
  }

  /// Whether an operation runs.
  package var isTaken: Bool { state.withLock { $0.running > 0 } }

  /// The number of operations that wait.
  package var waitingCount: Int { state.withLock(\.waitingCount) }

  /// Returns the number of an owner's operations that wait.
  package func waitingCount(of owner: Owner) -> Int { state.withLock { $0.waitingCount(of: owner) } }

  /// Runs an operation when it is its turn.
  ///
  /// - Throws: `Rejection`; `CancellationError` if the task is canceled while it waits; the error of the operation.
  package func run<Value>(
    for owner: Owner, isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value
  ) async throws -> Value {
    try await begin(owner)
    defer { state.withLock { $0.end(owner) }?.resume() }
    return try await operation()
  }

  private func begin(_ owner: Owner, isolation: isolated (any Actor)? = #isolation) async throws {
    let waiter = CancellableWaiter<Void>()
    switch state.withLock({ $0.begin(owner, waiter) }) {
    case .run: return
    case .reject: throw Rejection()
    case .wait:
      do { try await waiter.value() } catch {
        // If the waiter was removed before, its turn is free again.
        state.withLock { $0.cancel(owner, waiter) }?.resume()
        throw error
      }
    }
  }
}
