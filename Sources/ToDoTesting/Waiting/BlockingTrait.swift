import Dispatch
package import Testing

/// Runs the tests of a suite on their own threads, because they block them, for example until a process ends.
///
/// The other tests share one thread per core, and so do the servers and clients that they test. Threads that wait would leave
/// cores without work.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTrait {
  /// The trait of suites whose tests block their threads.
  package static var blocking: Self { Self() }
}

/// An executor whose jobs may block. Dispatch starts further threads while others are blocked.
private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()

  private let queue = DispatchQueue(label: "blocking tests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
