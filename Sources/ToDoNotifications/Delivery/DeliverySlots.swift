import Synchronization
import ToDoModel
import ToDoSupport

/// Limits the number of lists that send reminders at the same time: in all, and of one user, whose targets may be slow. Users who
/// wait take turns.
final class DeliverySlots: Sendable {
  fileprivate struct State {
    var free: Int
    /// The number of slots that each user has.
    var used: [OwnerID: Int] = [:]
    /// The waits of each user, the longest first.
    var waiters: [OwnerID: [CancellableWaiter<Void>]] = [:]
    /// The users who wait, in the order of their turns.
    var turns: [OwnerID] = []
  }

  private let state: Mutex<State>
  private let userLimit: Int

  /// - Parameters:
  ///   - count: the number of slots.
  ///   - userLimit: the maximum number of slots that one user has.
  init(_ count: Int, userLimit: Int) {
    state = Mutex(State(free: count))
    self.userLimit = userLimit
  }

  /// The number of tasks that wait.
  var waitCount: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

  /// Runs `body` when there is a slot for a user.
  ///
  /// - Throws: `CancellationError` if the task is canceled while it waits; the error of `body`.
  func run<Value>(
    for user: OwnerID, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    let waiter = CancellableWaiter<Void>()
    if !state.withLock({ $0.take(for: user, userLimit, orAdd: waiter) }) {
      do { try await waiter.value() } catch {
        state.withLock { $0.remove(waiter, of: user) }
        throw error
      }
    }
    defer { release(by: user) }
    return try await body()
  }

  /// Passes the slot to the next wait that was not canceled.
  private func release(by user: OwnerID) {
    var former = user
    while let next = state.withLock({ $0.passOn(from: former, userLimit) }) {
      if next.waiter.resume() { return }
      former = next.user
    }
  }
}

extension DeliverySlots.State {
  /// Takes a slot, or adds a wait for one.
  fileprivate mutating func take(for user: OwnerID, _ userLimit: Int, orAdd waiter: CancellableWaiter<Void>) -> Bool {
    guard free > 0, used[user, default: 0] < userLimit else {
      if waiters[user] == nil { turns.append(user) }
      waiters[user, default: []].append(waiter)
      return false
    }
    free -= 1
    used[user, default: 0] += 1
    return true
  }

  /// Takes a user's slot back, and gives it to the first wait of the next user who may have one more.
  fileprivate mutating func passOn(
    from former: OwnerID, _ userLimit: Int
  ) -> (user: OwnerID, waiter: CancellableWaiter<Void>)? {
    free += 1
    let rest = used[former, default: 1] - 1
    used[former] = rest > 0 ? rest : nil
    guard let turn = turns.firstIndex(where: { used[$0, default: 0] < userLimit }) else { return nil }
    let user = turns.remove(at: turn)
    guard let waiter = waiters[user]?.removeFirst() else { return nil }
    if waiters[user]?.isEmpty == true { waiters[user] = nil } else { turns.append(user) }
    free -= 1
    used[user, default: 0] += 1
    return (user, waiter)
  }

  /// Removes a wait that was canceled.
  fileprivate mutating func remove(_ waiter: CancellableWaiter<Void>, of user: OwnerID) {
    waiters[user]?.removeAll { $0 === waiter }
    guard waiters[user]?.isEmpty == true else { return }
    waiters[user] = nil
    turns.removeAll { $0 == user }
  }
}
