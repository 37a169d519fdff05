import Synchronization
import ToDoModel
import ToDoRules
import Waiters

/// Limits how much work of each list runs at once, so that a caller with many requests in flight cannot fill the queue of
/// the threads that all callers share.
package final class OwnerTurns: Sendable {
  private typealias State = TurnSchedule<OwnerID, CancellableWaiter<Void>>

  private let state: Mutex<State>

  /// - Parameters:
  ///   - concurrency: the amount of work of one list that runs at once.
  ///   - waitingLimit: the amount of work of one list that waits.
  package init(concurrency: Int, waitingLimit: Int = 1024) {
    state = Mutex(State(concurrency: concurrency, waitingLimit: waitingLimit))
  }

  /// The amount of a list's work that waits.
  func waitingCount(of owner: OwnerID) -> Int { state.withLock { $0.waitingCount(of: owner) } }

  /// Runs work when it is the list's turn.
  ///
  /// - Throws: `ToDoError.listBusy` if too much work of the list waits; `CancellationError` if the task is cancelled while it
  ///   waits; and what the work throws.
  func run<Value>(for owner: OwnerID, _ work: () async throws -> Value) async throws -> Value {
    try await begin(owner)
    defer { state.withLock { $0.end(owner) }?.resume() }
    return try await work()
  }

  private func begin(_ owner: OwnerID) async throws {
    let waiter = CancellableWaiter<Void>()
    switch state.withLock({ $0.begin(owner, waiter) }) {
    case .run: return
    case .reject: throw ToDoError.tooManyWaiting
    case .wait:
      do { try await waiter.value() } catch {
        // If the waiter was removed before, its turn is free again.
        state.withLock { $0.cancel(owner, waiter) }?.resume()
        throw error
      }
    }
  }
}

/// The state machine of `OwnerTurns`: how much work of each owner runs, and what waits.
struct TurnSchedule<Owner: Hashable, Waiter: AnyObject> {
  enum Beginning {
    case run, wait, reject
  }

  private struct Turns {
    var running = 0
    /// The first one is the next to run.
    var waiting: [Waiter] = []
  }

  private let concurrency, waitingLimit: Int
  private var owners: [Owner: Turns] = [:]

  init(concurrency: Int, waitingLimit: Int) {
    self.concurrency = concurrency
    self.waitingLimit = waitingLimit
  }

  /// Whether no owner's work runs.
  var isIdle: Bool { owners.isEmpty }

  func waitingCount(of owner: Owner) -> Int { owners[owner]?.waiting.count ?? 0 }

  mutating func begin(_ owner: Owner, _ waiter: Waiter) -> Beginning {
    let turns = owners[owner] ?? Turns()
    if turns.running < concurrency {
      owners[owner, default: turns].running += 1
      return .run
    }
    guard turns.waiting.count < waitingLimit else { return .reject }
    owners[owner]?.waiting.append(waiter)
    return .wait
  }

  /// Ends work.
  ///
  /// - Returns: the waiter whose turn it is now.
  mutating func end(_ owner: Owner) -> Waiter? {
    guard owners[owner]?.waiting.isEmpty == true else { return owners[owner]?.waiting.removeFirst() }
    owners[owner]?.running -= 1
    if owners[owner]?.running == 0 { owners[owner] = nil }
    return nil
  }

  /// Removes a waiter that does not wait any more.
  ///
  /// - Returns: the waiter whose turn it is now, if it was the removed one's turn already.
  mutating func cancel(_ owner: Owner, _ waiter: Waiter) -> Waiter? {
    guard let index = owners[owner]?.waiting.firstIndex(where: { $0 === waiter }) else { return end(owner) }
    owners[owner]?.waiting.remove(at: index)
    return nil
  }
}
