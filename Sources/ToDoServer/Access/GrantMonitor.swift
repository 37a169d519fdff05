import Synchronization
import ToDoModel
import Waiters

/// Those who must hear when what they were let in with may be worth nothing any more.
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

  /// Grows whenever all that was found out about callers must be found out again.
  var epoch: Int { currentEpoch.load(ordering: .acquiring) }

  func invalidateGrants() {
    wake { _ in true }
  }

  /// Makes every watcher check its credentials again, without a new epoch.
  func wakeAll() {
    wake(isNewEpoch: false) { _ in true }
  }

  func wakeExpired(at now: Timestamp) {
    wake(isNewEpoch: false) { waiter in waiter.expiresAt.map { $0 <= now } ?? false }
  }

  /// Returns when there is another epoch than this one, at the expiry, and when the task is cancelled.
  func waitForChange(after epoch: Int, orExpiry expiresAt: Timestamp?) async {
    let waiter = CancellableWaiter<Void>()
    let id = state.withLock { state -> Int? in
      guard self.epoch == epoch else { return nil }
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = Waiter(expiresAt: expiresAt, change: waiter)
      return state.lastWaiter
    }
    guard let id else { return }
    // A cancellation ends the wait like a change, but leaves the waiter.
    if (try? await waiter.value()) == nil { state.withLock { _ = $0.waiters.removeValue(forKey: id) } }
  }

  func waitForCancellation() async {
    while !Task.isCancelled { await waitForChange(after: epoch, orExpiry: nil) }
  }

  private func wake(isNewEpoch: Bool = true, _ isConcerned: (Waiter) -> Bool) {
    let woken = state.withLock { state in
      if isNewEpoch { currentEpoch.add(1, ordering: .acquiringAndReleasing) }
      let woken = state.waiters.filter { isConcerned($0.value) }
      for id in woken.keys { state.waiters[id] = nil }
      return woken.values
    }
    for waiter in woken { waiter.change.resume() }
  }
}
