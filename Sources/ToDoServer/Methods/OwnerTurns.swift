import Synchronization
import ToDoModel
import ToDoRules
import ToDoSupport

/// Limits the number of operations of each list that run concurrently, so that a caller with many requests in flight cannot
/// fill the queue of the threads that all callers share.
package final class OwnerTurns: Sendable {
  private typealias State = TurnSchedule<OwnerID, CancellableWaiter<Void>>

  private let state: Mutex<State>

  /// - Parameters:
  ///   - concurrency: the maximum number of operations of one list that run concurrently.
  ///   - waitingLimit: the maximum number of operations of one list that wait.
  package init(concurrency: Int, waitingLimit: Int = 1024) {
    state = Mutex(State(concurrency: concurrency, waitingLimit: waitingLimit))
  }

  /// The number of waiting operations of a list.
  func waitingCount(of owner: OwnerID) -> Int { state.withLock { $0.waitingCount(of: owner) } }

  /// Runs an operation when it is its turn.
  ///
  /// - Throws: `ToDoError.listBusy` if too many operations of the list wait, `CancellationError` if the task is cancelled while
  ///   it waits, and the errors of the operation.
  func run<Value>(for owner: OwnerID, _ operation: () async throws -> Value) async throws -> Value {
    try await begin(owner)
    defer { state.withLock { $0.end(owner) }?.resume() }
    return try await operation()
  }

  private func begin(_ owner: OwnerID) async throws {
    let waiter = CancellableWaiter<Void>()
    switch state.withLock({ $0.begin(owner, waiter) }) {
    case .run: return
    case .reject: throw ToDoError.tooManyWaiting
    case .wait:
      do { try await waiter.value() } catch {
        // If the waiter was removed before, its turn is free again.
        state.withLock { $0.cancel(owner, waiter) }?.resume()
        throw error
      }
    }
  }
}
