import Dispatch
import Synchronization

/// A connection that concurrent tasks share. Their calls run one after the other, on a thread of the queue.
///
/// If the task of a call is cancelled, its running statement is interrupted.
package final class SQLiteConnectionQueue: Sendable {
  private let queue: DispatchQueue
  private let connection: Mutex<SQLiteConnection>

  /// - Parameter label: the name of the queue, for debuggers.
  package init(_ connection: sending SQLiteConnection, label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    self.connection = Mutex(connection)
  }

  /// Runs `body` outside of a transaction.
  ///
  /// - Throws: the error of `body`; `CancellationError` if the task is cancelled before `body` begins, or while a statement of
  ///   `body` runs.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await perform(Cancellation(), body)
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  ///
  /// - Throws: `SQLiteError`, the error of `body`, or `CancellationError` if the task is cancelled before the commit.
  package func transaction<Value: Sendable>(
    _ kind: TransactionKind, _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    return try await perform(cancellation) { connection in
      try connection.transaction(kind) {
        let value = try body(connection)
        try cancellation.check()
        return value
      }
    }
  }

  /// Waits until the calls that were made are complete. No thread refers to the queue for their sake then: a call returns its
  /// value shortly before its thread has left the queue.
  package func waitForCalls() { queue.sync {} }

  private func perform<Value: Sendable>(
    _ cancellation: Cancellation, _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { [self] in
          continuation.resume(with: Result { try connection.withLock { try cancellation.perform(on: $0, body) } })
        }
      }
    } onCancel: {
      cancellation.flag.store(true, ordering: .relaxed)
    }
  }
}

/// The cancellation of a call.
private final class Cancellation: Sendable {
  let flag = Atomic(false)

  /// - Throws: `CancellationError` if the call is cancelled.
  func check() throws {
    if flag.load(ordering: .relaxed) { throw CancellationError() }
  }

  func perform<Value>(on connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try check()
    connection.shouldInterrupt = { [self] in flag.load(ordering: .relaxed) }
    defer { connection.shouldInterrupt = nil }
    do { return try body(connection) } catch let error as SQLiteError where error.code == .interrupt {
      try check()
      throw error
    }
  }
}
