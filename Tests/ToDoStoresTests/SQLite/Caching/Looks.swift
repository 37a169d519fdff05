import Synchronization

/// Stands for the pauses between looks, so that a test says when the next look is.
final class Looks: Sendable {
  private let count = Mutex(0)
  private let begun: AsyncStream<Void>
  private let begin: AsyncStream<Void>.Continuation
  private let ended: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init() {
    (begun, begin) = AsyncStream.makeStream()
    (ended, end) = AsyncStream.makeStream()
  }

  /// What the store calls after each look.
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

  /// The number of reports, once the present look is over.
  func reportCount() async -> Int {
    for await _ in begun { break }
    return count.withLock(\.self)
  }

  /// The number of reports after one more look.
  func reportCountAfterNext() async -> Int {
    next()
    return await reportCount()
  }
}
