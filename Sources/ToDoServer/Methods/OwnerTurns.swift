import ToDoModel
import ToDoRules
import ToDoSupport

/// Limits the number of operations on each list that run concurrently, so that a caller with many requests in flight cannot
/// fill the queue of the threads that all callers share.
package final class OwnerTurns: Sendable {
  private let turns: TaskTurns<OwnerID>

  /// - Parameters:
  ///   - concurrency: the maximum number of operations on one list that run concurrently.
  ///   - waitingLimit: the maximum number of operations on one list that wait.
  package init(concurrency: Int, waitingLimit: Int = 1024) {
    turns = TaskTurns(ownerLimit: concurrency, waitingLimit: waitingLimit)
  }

  /// The number of operations that wait for a list.
  func waitingCount(of owner: OwnerID) -> Int { turns.waitingCount(of: owner) }

  /// Runs an operation when it is its turn.
  ///
  /// - Throws: `ToDoError.listBusy` if too many operations on the list wait, `CancellationError` if the task is canceled while
  ///   it waits, and the errors of the operation.
  func run<Value>(for owner: OwnerID, _ operation: () async throws -> Value) async throws -> Value {
    do {
      return try await turns.run(for: owner, operation)
    } catch is TaskTurns<OwnerID>.Rejection {
      throw ToDoError.tooManyWaiting
    }
  }
}
