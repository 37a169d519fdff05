import Synchronization
package import ToDoSupport

/// A connection that concurrent tasks share. Their calls run one after the other, on a thread of the queue.
///
/// If the task of a call is canceled, its running statement is interrupted.
package final class SQLiteConnectionQueue: Sendable {
  private let queue: TaskQueue
  private let turns: Turns?
  private let connection: Mutex<SQLiteConnection>

  /// - Parameters:
  ///   - label: the name of the queue, for debuggers.
  ///   - turns: taken by each writing transaction, because other connections of the process write the file, too.
  package init(_ connection: sending SQLiteConnection, label: String, turns: Turns? = nil) {
    queue = TaskQueue(label: label)
    self.turns = turns
    self.connection = Mutex(connection)
  }

  /// Runs `body` outside a transaction.
  ///
  /// - Throws: the error of `body`; `CancellationError` if the task is canceled before `body` begins, or while a statement of
  ///   `body` runs.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await perform { connection, _ in try body(connection) }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  ///
  /// - Throws: `SQLiteError`, the error of `body`, or `CancellationError` if the task is canceled before the commit.
  package func transaction<Value: Sendable>(
    _ kind: TransactionKind, _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await perform { [turns] connection, cancellation in
      let transact = {
        try connection.transaction(kind) {
          let value = try body(connection)
          try cancellation.check()
          return value
        }
      }
      guard kind != .deferred, let turns else { return try transact() }
      return try turns.take(transact)
    }
  }

  /// Waits until the calls that were made are complete, and closes the connection. Later calls throw `SQLiteError` with the code
  /// `misuse`. The last connection to a file moves its log into it.
  package func close() {
    queue.runAndWait()
    // Fails only while a statement exists that is not the connection's own.
    connection.withLock { try? $0.close() }
  }

  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection, TaskQueue.Cancellation) throws -> Value
  ) async throws -> Value {
    try await queue.run { [self] cancellation in
      try connection.withLock { connection in
        connection.shouldInterrupt = { cancellation.hasOccurred }
        defer { connection.shouldInterrupt = nil }
        do { return try body(connection, cancellation) } catch let error as SQLiteError where error.code == .interrupt {
          try cancellation.check()
          throw error
        }
      }
    }
  }
}
