#if HTTP
import ToDoRPC
import ToDoSupport

/// Converts long messages one at a time, so that their conversion never occupies every thread. Addresses take turns, so that
/// one with many messages delays those of another by one at most. Callable from any thread.
final class ConversionTurns: Sendable {
  private let turns = TaskTurns<NetworkAddress?>(limit: 1)

  /// The size of a message above which its conversion takes its turn, and leaves the event loop.
  static let longMessage = 32 << 10

  /// The same on a connection with many requests at a time, so that those of one read do not delay the other connections.
  static let longSharedMessage = 4 << 10

  /// Whether a function runs.
  var isTaken: Bool { turns.isTaken }

  /// The number of callers that wait.
  var waitingCount: Int { turns.waitingCount }

  /// Runs a function when no other one runs.
  ///
  /// - Throws: `CancellationError` if the task is canceled before the function runs.
  func run<Value: Sendable>(for address: NetworkAddress?, _ body: () throws -> Value) async throws -> Value {
    try await turns.run(for: address) {
      try Task.checkCancellation()
      return try body()
    }
  }
}
#endif
