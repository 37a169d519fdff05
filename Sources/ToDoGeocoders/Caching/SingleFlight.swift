import Synchronization
import ToDoModel

/// Shares one running operation between concurrent callers with the same key.
///
/// Cancelling one caller does not affect the other callers of the operation. When the last caller is cancelled, the
/// operation is cancelled.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

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
    let waiter = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let rejection = state.withLock { state -> (any Error)? in
          if Task.isCancelled { return CancellationError() }
          guard let flight = state.flights[key] else {
            state.flights[key] = start(work, number: waiter, for: key, waiter: continuation)
            return nil
          }
          guard flight.waiters.count < limit else { return GeocoderError.rateLimited(retryAfter: nil) }
          state.flights[key]?.waiters[waiter] = continuation
          return nil
        }
        if let rejection { continuation.resume(throwing: rejection) }
      }
    } onCancel: {
      removeWaiter(waiter, key)
    }
  }

  private func start(
    _ work: @escaping @Sendable () async throws -> Value, number: Int, for key: Key, waiter: Waiter
  ) -> Flight {
    // Not a child task of the caller, because the operation continues if that caller is cancelled before others.
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

  private func removeWaiter(_ waiter: Int, _ key: Key) {
    let (continuation, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter) else { return (nil, nil) }
      guard let flight = state.flights[key], flight.waiters.isEmpty else { return (continuation, nil) }
      state.flights[key] = nil
      return (continuation, flight.task)
    }
    task?.cancel()
    continuation?.resume(throwing: CancellationError())
  }
}
