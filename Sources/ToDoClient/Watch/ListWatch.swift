import ToDoModel
import ToDoProtocol
import ToDoRPC

/// A watch of lists that reconnects: attempts, one after another, each of which begins with all lists.
final class ListWatch {
  private let retryLimit: Int
  private let backoff: Backoff
  private let timing: ClientTiming
  private let makeAttempt: () async throws -> () async throws -> ListSet
  /// Returns the next set of the current attempt.
  private var attempt: (() async throws -> ListSet)?
  /// The set that the consumer has.
  private var last: ListSet?
  /// The number of consecutive failures without any set.
  private var failures = 0
  private var hasEnded = false

  /// Creates a watch that begins with the first call of `next`.
  ///
  /// - Parameters:
  ///   - retryLimit: The maximum number of retries before the first set.
  ///   - makeAttempt: Starts an attempt, and returns the function that returns its sets.
  init(
    retryLimit: Int, backoff: Backoff, timing: ClientTiming,
    makeAttempt: @escaping () async throws -> () async throws -> ListSet
  ) {
    self.retryLimit = retryLimit
    self.backoff = backoff
    self.timing = timing
    self.makeAttempt = makeAttempt
  }

  /// Returns the next set that differs from the last one, or `nil` after the end.
  ///
  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`. An error ends the watch.
  func next() async throws -> ListSet? {
    while !hasEnded {
      do {
        let set = try await nextSet()
        failures = 0
        guard set != last else { continue }
        last = set
        return set
      } catch {
        attempt = nil
        do { try await recover(from: error) } catch {
          hasEnded = true
          throw error
        }
      }
    }
    return nil
  }

  private func nextSet() async throws -> ListSet {
    if let attempt { return try await attempt() }
    let attempt = try await makeAttempt()
    self.attempt = attempt
    return try await attempt()
  }

  /// Waits until the next attempt is due, or throws the error that ends the watch.
  private func recover(from error: any Error) async throws {
    try Task.checkCancellation()
    let rejection = (error as? ToDoError) ?? (error as? RPCError).flatMap(ToDoError.init)
    let isUnavailable =
      switch rejection {
      case .storeUnavailable: true
      case nil: (error as? RPCError)?.code == .unavailable
      default: false
      }
    failures += 1
    guard isUnavailable, last != nil || failures <= retryLimit else { throw rejection ?? error }
    try await timing.sleep(for: backoff.delay(afterFailures: failures, jitter: timing.jitter()))
  }
}
