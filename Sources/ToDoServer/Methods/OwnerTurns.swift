import Synchronization
import ToDoModel
import ToDoRules
import ToDoSupport

/// Limits the number of operations on each list that run concurrently, so that a caller with many requests in flight cannot
/// fill the queue of the threads that all callers share.
package final class OwnerTurns: Sendable {
  private typealias State = TurnSchedule<OwnerID, CancellableWaiter<Void>>

  private let state: Mutex<State>

  /// - Parameters:
  ///   - concurrency: the maximum number of operations on one list that run concurrently.
  ///   - waitingLimit: the maximum number of operations on one list that wait.
  package init(concurrency: Int, waitingLimit: Int = 1024) {
    state = Mutex(State(concurrency: concurrency, waitingLimit: waitingLimit))
  }

  /// The number of operations that wait for a list.
  func waitingCount(of owner: OwnerID) -> Int { state.withLock { $0.waitingCount(of: owner) } }

  /// Runs an operation when it is its turn.
  ///
  /// - Throws: `ToDoError.listBusy` if too many operations on the list wait, `CancellationError` if the task is canceled while
  ///   it waits, and the errors of the operation.
  func run<Value>(for owner: OwnerID, _ operation: () async throws -> Value) async throws -> Value {
    try await begin(owner)
    defer { state.withLock { $0.end(owner) }?.resume() }
    return try await operation()
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

/// The state machine of `OwnerTurns`: the number of each owner's running operations, and the waiters of the others.
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

  /// Whether no operation runs.
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

  /// Ends an operation.
  ///
  /// - Returns: the waiter whose turn it is now, if any waits.
  mutating func end(_ owner: Owner) -> Waiter? {
    guard owners[owner]?.waiting.isEmpty == true else { return owners[owner]?.waiting.removeFirst() }
    owners[owner]?.running -= 1
    if owners[owner]?.running == 0 { owners[owner] = nil }
    return nil
  }

  /// Removes a waiter whose task was canceled.
  ///
  /// - Returns: the waiter whose turn it is now, if the turn had already passed to the removed one.
  mutating func cancel(_ owner: Owner, _ waiter: Waiter) -> Waiter? {
    guard let index = owners[owner]?.waiting.firstIndex(where: { $0 === waiter }) else { return end(owner) }
    owners[owner]?.waiting.remove(at: index)
    return nil
  }
}
