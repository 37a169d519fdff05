import ToDoModel
import ToDoProtocol
import ToDoRPC

/// The attempts of a watch, one after another: when a connection is lost, the next attempt begins, later after each failure.
final class WatchAttempts<Message> {
  private let retryLimit: Int
  private let backoff: Backoff
  private let timing: ClientTiming
  private let make: () async throws -> () async throws -> Message
  /// Returns the next message of the current attempt.
  private var current: (() async throws -> Message)?
  /// The number of consecutive failures without any message.
  private var failures = 0
  private var hasEnded = false

  /// - Parameters:
  ///   - retryLimit: The maximum number of retries before the consumer has what a watch begins with.
  ///   - make: Starts an attempt, and returns the function that returns its messages.
  init(
    retryLimit: Int, backoff: Backoff, timing: ClientTiming,
    make: @escaping () async throws -> () async throws -> Message
  ) {
    (self.retryLimit, self.backoff, self.timing, self.make) = (retryLimit, backoff, timing, make)
  }

  /// Returns the next message, and whether it is the first one of its attempt; `nil` after the end.
  ///
  /// - Parameter hasBegun: whether the consumer has what a watch begins with.
  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`. An error ends the watch.
  func next(hasBegun: Bool) async throws -> (message: Message, isFirst: Bool)? {
    while !hasEnded {
      do {
        let isFirst = current == nil
        if current == nil { current = try await make() }
        guard let message = try await current?() else { continue }
        failures = 0
        return (message, isFirst)
      } catch {
        current = nil
        do { try await recover(from: error, hasBegun) } catch {
          hasEnded = true
          throw error
        }
      }
    }
    return nil
  }

  /// Ends the current attempt. The next message is that of another one.
  func restart() { current = nil }

  /// Waits until the next attempt is due, or throws the error that ends the watch.
  private func recover(from error: any Error, _ hasBegun: Bool) async throws {
    try Task.checkCancellation()
    let rejection = (error as? ToDoError) ?? (error as? RPCError).flatMap(ToDoError.init)
    let isUnavailable =
      switch rejection {
      case .storeUnavailable: true
      case nil: (error as? RPCError)?.code == .unavailable
      default: false
      }
    failures += 1
    guard isUnavailable, hasBegun || failures <= retryLimit else { throw rejection ?? error }
    try await timing.sleep(for: backoff.delay(afterFailures: failures, jitter: timing.jitter()))
  }
}
