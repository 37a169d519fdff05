import Synchronization
import ToDoClient
import ToDoModel

/// The watches of the list during a run. Each has its own connection.
final class Watchers: Sendable {
  private struct State {
    var tracker: DeliveryTracker
    var started = 0
    var waiter: CheckedContinuation<Void, any Error>?
    var failure: (any Error)?
  }

  private let count: Int
  private let state: Mutex<State>
  private let now: @Sendable () -> Nanoseconds
  private let onFailure: @Sendable (String) -> Void

  /// - Parameters:
  ///   - now: Returns the time of a monotonic clock.
  ///   - onFailure: Called with a description of a watch that ended early.
  init(
    count: Int, now: @escaping @Sendable () -> Nanoseconds = RunClock.systemTime,
    onFailure: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.count = count
    self.onFailure = onFailure
    self.now = now
    state = Mutex(State(tracker: DeliveryTracker(watchers: count)))
  }

  /// Calls `body` while all watches run, after each of them has started.
  ///
  /// - Throws: The error of `body`, or of a watch that fails before `body` is called. A watch that fails later calls
  ///   `onFailure` and ends.
  func withWatches<Value: Sendable>(on client: ToDoClient, _ body: () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { await self.watch(client) } }
      defer { group.cancelAll() }
      try await waitUntilStarted()
      return try await body()
    }
  }

  private func watch(_ client: ToDoClient) async {
    var isStarted = false
    do {
      for try await event in client.watch(from: .now, state: .all) {
        if case .changes(let set) = event {
          let now = now()
          state.withLock { $0.tracker.recordDelivery(of: set.revision, at: now) }
        }
        if !isStarted { recordStart() }
        isStarted = true
      }
    } catch is CancellationError {
    } catch {
      if isStarted { onFailure("a watch ended: \(error)") } else { fail(error) }
    }
  }

  private func recordStart() {
    let waiter = state.withLock { state in
      state.started += 1
      return state.started == count ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  private func fail(_ error: any Error) {
    let waiter = state.withLock { state in
      state.failure = error
      return state.waiter.take()
    }
    waiter?.resume(throwing: error)
  }

  private func waitUntilStarted() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let outcome = state.withLock { state -> Result<Void, any Error>? in
        if let failure = state.failure { return .failure(failure) }
        if state.started == count { return .success(()) }
        state.waiter = continuation
        return nil
      }
      outcome.map { continuation.resume(with: $0) }
    }
  }

  // MARK: Deliveries

  /// Records the response to a write.
  func recordAcknowledgement(of revision: Revision, isMeasured: Bool) {
    let now = now()
    state.withLock { $0.tracker.recordAcknowledgement(of: revision, isMeasured: isMeasured, at: now) }
  }

  /// Waits for pending deliveries, at most for `limit`. Call it within `withWatches`.
  func waitForDeliveries(within limit: Duration, isInterrupted: () -> Bool) async {
    let deadline = ContinuousClock.now + limit
    while state.withLock({ $0.tracker.missing }) > 0, ContinuousClock.now < deadline, !isInterrupted() {
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { break }
    }
  }

  /// The recorded deliveries.
  var deliveries: DeliveryTracker { state.withLock(\.tracker) }
}
