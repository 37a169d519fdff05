package import NIOCore

/// A task executor that runs on an event loop, so that a suspended call resumes on the loop that writes its response.
package final class EventLoopExecutor: TaskExecutor {
  /// The event loop.
  package let eventLoop: any EventLoop

  /// Creates the executor of an event loop.
  package init(_ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
  }

  /// Runs a job on the event loop.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
