import Dispatch

/// Runs an actor on a dispatch queue of its own: on a thread that may compute for long or wait for a disk, which those of
/// the language's own pool, one for each processor, may not.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
