import Synchronization
import ToDoRules
import ToDoSupport

/// Shares one running operation between concurrent callers with the same key.
///
/// Canceling one caller does not affect the other callers of the operation. When the last caller is canceled, the
/// operation is canceled.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Waiter = CancellableWaiter<Value>

  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
    var waiters: [Int: Waiter]
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter limit: the maximum number of callers that wait for one operation.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of callers that are waiting, for tests.
  var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

  /// Returns the result of the running operation for a key, starting `work` if none is running.
  ///
  /// - Throws: the error of `work`; `GeocoderError.rateLimited` if too many callers are waiting; `CancellationError`.
  func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    // A canceled caller starts nothing.
    try Task.checkCancellation()
    let waiter = Waiter()
    let number = try state.withLock { state in
      state.lastNumber += 1
      guard let flight = state.flights[key] else {
        state.flights[key] = start(work, number: state.lastNumber, for: key, waiter: waiter)
        return state.lastNumber
      }
      guard flight.waiters.count < limit else { throw GeocoderError.rateLimited(retryAfter: nil) }
      state.flights[key]?.waiters[state.lastNumber] = waiter
      return state.lastNumber
    }
    do { return try await waiter.value() } catch {
      removeWaiter(number, key)
      throw error
    }
  }

  private func start(
    _ work: @escaping @Sendable () async throws -> Value, number: Int, for key: Key, waiter: Waiter
  ) -> Flight {
    // Not a child task of the caller, because the operation continues if that caller is canceled before others.
    let task = Task {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      finish(key, number, result)
    }
    return Flight(number: number, task: task, waiters: [number: waiter])
  }

  private func finish(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [Waiter] in
      guard let flight = state.flights[key], flight.number == number else { return [] }
      state.flights[key] = nil
      return Array(flight.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Removes a waiter that was canceled, and cancels the operation if that was the last one. Does nothing if the operation
  /// has ended.
  private func removeWaiter(_ number: Int, _ key: Key) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard state.flights[key]?.waiters.removeValue(forKey: number) != nil else { return nil }
      guard let flight = state.flights[key], flight.waiters.isEmpty else { return nil }
      state.flights[key] = nil
      return flight.task
    }
    task?.cancel()
  }
}
