import Synchronization
import ToDoModel
import ToDoSupport

/// The tasks that wait until an access grant expires or must be revalidated.
final class GrantMonitor: Sendable {
  private struct Waiter {
    let expiresAt: Timestamp?
    let change: CancellableWaiter<Void>
  }

  private struct State {
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state = Mutex(State())
  private let currentEpoch = Atomic(0)

  /// The number of the current epoch. A grant that was resolved in an earlier epoch must be resolved again.
  var epoch: Int { currentEpoch.load(ordering: .acquiring) }

  /// The number of tasks that wait for a change.
  var waiterCount: Int { state.withLock(\.waiters.count) }

  /// Starts a new epoch, and wakes every waiter.
  func invalidateGrants() {
    wake { _ in true }
  }

  /// Makes every watcher check its credentials again, without a new epoch.
  func wakeAll() {
    wake(isNewEpoch: false) { _ in true }
  }

  /// Wakes the waiters whose grants have expired.
  func wakeExpired(at now: Timestamp) {
    wake(isNewEpoch: false) { waiter in waiter.expiresAt.map { $0 <= now } ?? false }
  }

  /// Waits until the epoch differs from `epoch`, the expiry has passed, or the task is canceled.
  func waitForChange(after epoch: Int, orExpiry expiresAt: Timestamp?) async {
    let waiter = CancellableWaiter<Void>()
    let id = state.withLock { state -> Int? in
      guard self.epoch == epoch else { return nil }
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = Waiter(expiresAt: expiresAt, change: waiter)
      return state.lastWaiter
    }
    guard let id else { return }
    // After a cancellation, the waiter is still registered.
    if (try? await waiter.value()) == nil { state.withLock { _ = $0.waiters.removeValue(forKey: id) } }
  }

  /// Waits until the task is canceled.
  func waitForCancellation() async {
    while !Task.isCancelled { await waitForChange(after: epoch, orExpiry: nil) }
  }

  private func wake(isNewEpoch: Bool = true, _ shouldWake: (Waiter) -> Bool) {
    let woken = state.withLock { state in
      if isNewEpoch { currentEpoch.add(1, ordering: .acquiringAndReleasing) }
      let woken = state.waiters.filter { shouldWake($0.value) }
      for id in woken.keys { state.waiters[id] = nil }
      return woken.values
    }
    for waiter in woken { waiter.change.resume() }
  }
}
