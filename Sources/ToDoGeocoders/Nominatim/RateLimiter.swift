import Synchronization
import ToDoModel

/// Suspends callers until `RateLimiterState` allows their requests.
final class RateLimiter: Sendable {
  private struct State {
    var limiter: RateLimiterState
    /// The continuations of callers that wait for the front of the queue.
    var waiters: [RateLimiterState.CallerID: CheckedContinuation<Void, Never>] = [:]
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
          await waitForFront(id)
          try Task.checkCancellation()
        case .wait(let duration): try await clock.sleep(for: duration)
        }
      }
    } catch {
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

  /// Waits until the caller is at the front, is displaced, or its task is cancelled.
  private func waitForFront(_ id: RateLimiterState.CallerID) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isQueued = state.withLock { state in
          // The caller may have reached the front, been displaced or been cancelled before its continuation existed.
          guard state.limiter.isQueued(id), !Task.isCancelled else { return false }
          state.waiters[id] = continuation
          return true
        }
        if !isQueued { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiters.removeValue(forKey: id) }
      continuation?.resume()
    }
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
