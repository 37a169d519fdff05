import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock {
  public struct Instant: InstantProtocol {
    public var offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  fileprivate struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var lastID = 0
    /// Who waits for a number of sleepers.
    var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock(\.now) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, observers) = state.withLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>])
          in
          if Task.isCancelled { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleepers[id] = (deadline, continuation)
          return (nil, state.takeObservers())
        }
        if let result { continuation.resume(with: result) }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the time, and wakes whose deadline has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns when at least so many tasks sleep.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.sleepers.count < count else { return true }
        state.observers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

extension ManualClock.State {
  fileprivate mutating func takeObservers() -> [CheckedContinuation<Void, Never>] {
    let count = sleepers.count
    let taken = observers.filter { $0.count <= count }
    observers.removeAll { $0.count <= count }
    return taken.map(\.continuation)
  }
}
