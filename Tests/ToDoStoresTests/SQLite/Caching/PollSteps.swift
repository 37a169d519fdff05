import Synchronization

/// Replaces the pauses between the checks of an `ExternalWriteMonitor`, so that a test triggers each check.
final class PollSteps: Sendable {
  private let count = Mutex(0)
  private let begun: AsyncStream<Void>
  private let begin: AsyncStream<Void>.Continuation
  private let ended: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init() {
    (begun, begin) = AsyncStream.makeStream()
    (ended, end) = AsyncStream.makeStream()
  }

  /// The function that the monitor calls after each check.
  var pause: @Sendable () async throws -> Void {
    { [self] in
      begin.yield()
      for await _ in ended { return }
      throw CancellationError()
    }
  }

  func noteReport() { count.withLock { $0 += 1 } }

  /// Ends the pause.
  func next() { end.yield() }

  /// The number of reports, once the current check is complete.
  func reportCount() async -> Int {
    for await _ in begun { break }
    return count.withLock(\.self)
  }

  /// The number of reports after one more check.
  func reportCountAfterNext() async -> Int {
    next()
    return await reportCount()
  }
}
