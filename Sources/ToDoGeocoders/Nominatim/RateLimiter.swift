#if Nominatim
import Synchronization
import ToDoModel
import ToDoSupport

/// Suspends callers until `RateLimiterState` allows their requests.
final class RateLimiter: Sendable {
  private struct State {
    var limiter: RateLimiterState
    /// The callers that wait for the front of the queue.
    var waiters: [RateLimiterState.CallerID: CancellableWaiter<Void>] = [:]
  }

  private let state: Mutex<State>
  private let clock: any Clock<Duration>
  private let stopwatch: Stopwatch

  init(interval: Duration, ownerLimit: Int, totalLimit: Int, clock: any Clock<Duration>) {
    state = Mutex(
      State(limiter: RateLimiterState(interval: interval, ownerLimit: ownerLimit, totalLimit: totalLimit)))
    self.clock = clock
    stopwatch = Stopwatch(clock)
  }

  /// Waits until the caller may send its request.
  ///
  /// - Parameter owner: the owner of the list that the request is for.
  /// - Throws: `GeocoderError.rateLimited` if the queue is full or the server requested a pause; `CancellationError`.
  func waitForTurn(for owner: OwnerID?) async throws {
    let id = try enqueue(for: owner)
    do {
      while true {
        switch update({ $0.turn(of: id, at: stopwatch.elapsed) }) {
        case .send: return
        case .rejected(let error): throw error
        case .queued:
          try await waitForFront(id)
          try Task.checkCancellation()
        case .wait(let duration): try await clock.sleep(for: duration)
        }
      }
    } catch {
      state.withLock { _ = $0.waiters.removeValue(forKey: id) }
      update { $0.remove(id) }
      throw error
    }
  }

  private func enqueue(for owner: OwnerID?) throws -> RateLimiterState.CallerID {
    let (entry, displaced) = try state.withLock { state in
      let entry = try state.limiter.enqueue(for: owner, at: stopwatch.elapsed)
      return (entry, entry.displaced.flatMap { state.waiters.removeValue(forKey: $0) })
    }
    // The displaced caller receives its rejection from `turn(of:at:)`.
    displaced?.resume()
    return entry.id
  }

  /// The number of waiting callers, for tests.
  var waitingCallerCount: Int { state.withLock(\.limiter.count) }

  /// Rejects all requests for a duration.
  func pause(for duration: Duration) {
    update { $0.pause(for: duration, at: stopwatch.elapsed) }
  }

  /// Waits until the caller is at the front or is displaced.
  ///
  /// - Throws: `CancellationError`.
  private func waitForFront(_ id: RateLimiterState.CallerID) async throws {
    let waiter = CancellableWaiter<Void>()
    let isQueued = state.withLock { state in
      // The caller may have reached the front or been displaced since `turn(of:at:)` returned.
      guard state.limiter.isQueued(id) else { return false }
      state.waiters[id] = waiter
      return true
    }
    if isQueued { try await waiter.value() }
  }

  /// Updates the state, and resumes the caller that is at the front afterwards.
  @discardableResult
  private func update<Result: Sendable>(_ body: (inout RateLimiterState) -> Result) -> Result {
    let (result, next) = state.withLock { state in
      let result = body(&state.limiter)
      let next = state.limiter.front.flatMap { state.waiters.removeValue(forKey: $0) }
      return (result, next)
    }
    next?.resume()
    return result
  }
}
#endif
