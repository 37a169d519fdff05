import Dispatch
import Synchronization

/// A thread on which the work of concurrent tasks runs, one after the other, because it blocks.
package final class TaskQueue: Sendable {
  private let queue: DispatchQueue

  /// Creates a queue.
  ///
  /// - Parameter label: the name of the queue, for debuggers.
  package init(label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  /// Runs work of a task.
  ///
  /// - Parameter work: receives the cancellation of the task.
  /// - Throws: the error of the work; `CancellationError` if the task is canceled before the work begins.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          let result = Result {
            try cancellation.check()
            return try work(cancellation)
          }
          continuation.resume(with: result)
        }
      }
    } onCancel: {
      cancellation.occur()
    }
  }

  /// Runs work after the work of earlier calls, and waits for it. No thread refers to the queue for the sake of earlier
  /// calls then: a call returns its value shortly before its thread has left the queue.
  package func runAndWait(_ work: () -> Void = {}) { queue.sync(execute: work) }

  /// Whether the task of some work was canceled.
  package final class Cancellation: Sendable {
    private let flag = Atomic(false)

    fileprivate init() {}

    /// Whether the task was canceled.
    package var hasOccurred: Bool { flag.load(ordering: .relaxed) }

    /// Throws if the task was canceled.
    ///
    /// - Throws: `CancellationError`.
    package func check() throws {
      if hasOccurred { throw CancellationError() }
    }

    fileprivate func occur() { flag.store(true, ordering: .relaxed) }
  }
}
