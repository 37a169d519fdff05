import NIOCore
import Synchronization

/// A log of events, for which a test can wait.
package final class Journal: Sendable {
  private struct State {
    var events: [String] = []
    var counts: [String: Int] = [:]
    var waiters: [Waiter] = []

    typealias Waiter = (event: String, count: Int, promise: EventLoopPromise<Void>)
  }

  private let state = Mutex(State())

  package init() {}

  package var events: [String] { state.withLock(\.events) }

  package func count(_ event: String) -> Int { state.withLock { $0.counts[event, default: 0] } }

  /// Returns whether the first occurrences of two events are in this order.
  package func happened(_ first: String, before second: String) -> Bool {
    let events = events
    guard let first = events.firstIndex(of: first), let second = events.firstIndex(of: second) else { return false }
    return first < second
  }

  package func record(_ event: String) {
    let kept: [State.Waiter] = state.withLock { state in
      state.events.append(event)
      state.counts[event, default: 0] += 1
      let count = state.counts[event, default: 0]
      guard !state.waiters.isEmpty else { return [] }
      let kept = state.waiters.filter { $0.event == event && $0.count <= count }
      state.waiters.removeAll { $0.event == event && $0.count <= count }
      return kept
    }
    for waiter in kept { waiter.promise.succeed() }
  }

  /// Waits until an event has been recorded a number of times.
  package func wait(for event: String, count: Int = 1) async throws {
    let promise = Deadline.promise(of: Void.self, for: "\(event), \(count) times")
    let isThere = state.withLock { state in
      guard state.counts[event, default: 0] < count else { return true }
      state.waiters.append((event, count, promise))
      return false
    }
    if isThere { promise.succeed() }
    try await promise.futureResult.get()
  }
}
