import Synchronization
import ToDoModel

/// Lets callers wait for their turn, as `RequestPacing` says.
final class RequestPacer: Sendable {
  private struct State {
    var pacing: RequestPacing
    /// Those who wait to come to the front.
    var queued: [RequestPacing.CallerID: CheckedContinuation<Void, Never>] = [:]
  }

  private let state: Mutex<State>
  private let clock: any Clock<Duration>
  private let stopwatch: Stopwatch

  init(interval: Duration, ownerLimit: Int, totalLimit: Int, clock: any Clock<Duration>) {
    state = Mutex(
      State(pacing: RequestPacing(interval: interval, ownerLimit: ownerLimit, totalLimit: totalLimit)))
    self.clock = clock
    stopwatch = Stopwatch(clock)
  }

  /// Returns when the caller may send its request.
  ///
  /// - Parameter owner: the owner of the list that the request is for.
  /// - Throws: `GeocoderError.rateLimited`, `CancellationError`.
  func awaitTurn(for owner: OwnerID?) async throws {
    let id = try arrive(for: owner)
    do {
      while true {
        switch change({ $0.turn(of: id, at: stopwatch.elapsed) }) {
        case .go: return
        case .refused(let error): throw error
        case .queued:
          await comeToFront(id)
          try Task.checkCancellation()
        case .wait(let duration): try await clock.sleep(for: duration)
        }
      }
    } catch {
      change { $0.leave(id) }
      throw error
    }
  }

  private func arrive(for owner: OwnerID?) throws -> RequestPacing.CallerID {
    let (arrival, displaced) = try state.withLock { state in
      let arrival = try state.pacing.arrive(for: owner, at: stopwatch.elapsed)
      return (arrival, arrival.displaced.flatMap { state.queued.removeValue(forKey: $0) })
    }
    // It learns that it is refused when it asks for its turn.
    displaced?.resume()
    return arrival.id
  }

  /// The number of callers that wait, for tests.
  var callerCount: Int { state.withLock(\.pacing.count) }

  /// Sends nothing for so long.
  func pause(for duration: Duration) {
    change { $0.pause(for: duration, at: stopwatch.elapsed) }
  }

  /// Returns when those before have gone, or the task is cancelled.
  private func comeToFront(_ id: RequestPacing.CallerID) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isQueued = state.withLock { state in
          // The caller may have reached the front, been displaced or been cancelled before its continuation existed.
          guard state.pacing.isQueued(id), !Task.isCancelled else { return false }
          state.queued[id] = continuation
          return true
        }
        if !isQueued { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { $0.queued.removeValue(forKey: id) }
      continuation?.resume()
    }
  }

  /// Changes the queue, and wakes who has come to the front by it.
  @discardableResult
  private func change<Result: Sendable>(_ body: (inout RequestPacing) -> Result) -> Result {
    let (result, next) = state.withLock { state in
      let result = body(&state.pacing)
      let next = state.pacing.front.flatMap { state.queued.removeValue(forKey: $0) }
      return (result, next)
    }
    next?.resume()
    return result
  }
}
