import Synchronization
public import Testing

/// A clock that only a test advances.
public final class ManualClock: Clock {
  /// An instant: a duration since the creation of the clock.
  public struct Instant: InstantProtocol {
    /// The duration since the creation of the clock.
    public var offset: Duration

    /// Returns the instant that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration until another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether the first instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  fileprivate struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var lastID = 0
  }

  private let state = Mutex(State())
  private let sleeperCount = Condition(0)

  /// Creates a clock.
  public init() {}

  /// The current instant.
  public var now: Instant { state.withLock(\.now) }
  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the test has advanced the clock to a deadline.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[id] = (deadline, continuation)
          return nil
        }
        if let result { continuation.resume(with: result) } else { countSleepers() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      countSleepers()
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the time, and resumes the tasks whose deadline has passed.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    countSleepers()
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Waits until at least a number of tasks are sleeping, or the caller is canceled.
  public func waitForSleepers(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
    await sleeperCount.wait(sourceLocation: sourceLocation) { $0 >= count }
  }

  private func countSleepers() {
    sleeperCount.change { $0 = state.withLock(\.sleepers.count) }
  }
}
