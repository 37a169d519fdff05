#if HTTP
import Synchronization
import ToDoRPC
import ToDoSupport

/// Converts long messages one at a time, so that their conversion never occupies every thread. Addresses take turns, so that
/// one with many messages delays those of another by one at most. Callable from any thread.
final class ConversionTurns: Sendable {
  private typealias Waiter = CancellableWaiter<Void>

  private struct State {
    var isTaken = false
    /// The waiters of each address, the first one next.
    var waiters: [NetworkAddress?: [Waiter]] = [:]
    /// The addresses that have waiters, the next one first.
    var addresses: [NetworkAddress?] = []

    mutating func append(_ waiter: Waiter, of address: NetworkAddress?) {
      if waiters[address] == nil { addresses.append(address) }
      waiters[address, default: []].append(waiter)
    }

    /// Takes the waiter whose turn it is.
    mutating func next() -> Waiter? {
      guard !addresses.isEmpty else {
        isTaken = false
        return nil
      }
      let address = addresses.removeFirst()
      let waiter = waiters[address]?.removeFirst()
      if waiters[address]?.isEmpty == true { waiters[address] = nil } else { addresses.append(address) }
      return waiter
    }

    /// Removes a waiter. Returns whether it still waited for its turn.
    mutating func remove(_ waiter: Waiter, of address: NetworkAddress?) -> Bool {
      guard let index = waiters[address]?.firstIndex(where: { $0 === waiter }) else { return false }
      waiters[address]?.remove(at: index)
      if waiters[address]?.isEmpty == true {
        waiters[address] = nil
        addresses.removeAll { $0 == address }
      }
      return true
    }
  }

  private let state = Mutex(State())

  /// The size of a message above which its conversion takes its turn, and leaves the event loop.
  static let longMessage = 32 << 10

  /// The same on a connection with many requests at a time, so that those of one read do not delay the other connections.
  static let longSharedMessage = 4 << 10

  /// Whether a function runs.
  var isTaken: Bool { state.withLock(\.isTaken) }

  /// The number of callers that wait.
  var waitingCount: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

  /// Runs a function when no other one runs.
  ///
  /// - Throws: `CancellationError` if the task is canceled before the function runs.
  func run<Value: Sendable>(for address: NetworkAddress?, _ body: () throws -> Value) async throws -> Value {
    try await begin(address)
    defer { end() }
    try Task.checkCancellation()
    return try body()
  }

  private func begin(_ address: NetworkAddress?) async throws {
    let waiter = state.withLock { state -> Waiter? in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let waiter = Waiter()
      state.append(waiter, of: address)
      return waiter
    }
    guard let waiter else { return }
    do { try await waiter.value() } catch {
      // If it did not wait any more, its turn has come, and passes on.
      if !state.withLock({ $0.remove(waiter, of: address) }) { end() }
      throw error
    }
  }

  private func end() { state.withLock { $0.next() }?.resume() }
}
#endif
