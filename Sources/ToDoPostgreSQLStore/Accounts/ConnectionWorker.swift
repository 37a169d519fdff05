#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoModel
import ToDoStores
import ToDoSupport

/// A connection that concurrent tasks share. Their calls run one after the other, on a thread of the worker.
///
/// The connection is opened by the first call, and again by the first call after it was lost. A call that finds an
/// earlier connection lost before anything was committed is repeated once, on a new connection. While the database
/// cannot be reached, calls fail immediately for a while after each attempt to connect, so that waiting calls do not
/// queue up.
final class ConnectionWorker: Sendable {
  fileprivate struct State {
    let settings: ConnectionSettings
    let now: @Sendable () -> ContinuousClock.Instant
    var connection: PostgreSQLConnection?
    /// The error of the last attempt to connect, and the next attempt's time.
    var failure: (error: PostgreSQLError, nextAttempt: ContinuousClock.Instant)?
    var isClosed = false
  }

  private let queue: TaskQueue
  private let state: Mutex<State>
  private let callCount = Atomic(0)

  /// The maximum number of calls that run or wait.
  private static let callLimit = 256
  /// The time between two attempts to connect. Short, because a server must learn of a revoked token within a second, even
  /// when a new primary has just taken over.
  private static let connectInterval = Duration.milliseconds(250)

  /// - Parameter label: the name of the queue, for debuggers.
  init(_ settings: ConnectionSettings, label: String, timing: StoreTiming) {
    state = Mutex(State(settings: settings, now: timing.now))
    queue = TaskQueue(label: label)
  }

  /// Waits until the running calls are complete, and closes the connection. Later calls throw
  /// `ToDoError.storeClosed`.
  func close() {
    queue.runAndWait {
      state.withLock { state in
        state.isClosed = true
        state.connection = nil
      }
    }
  }

  /// Runs `body` with the connection, on the worker's thread. `body` may run twice; only the last run has an
  /// effect.
  ///
  /// - Throws: the error of `body`; `PostgreSQLError` if the database cannot be reached; `ToDoError.storeClosed`;
  ///   `ToDoError.storeUnavailable` if too many calls wait; `CancellationError` if the task is canceled before
  ///   `body` begins.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    defer { callCount.subtract(1, ordering: .relaxed) }
    guard callCount.add(1, ordering: .relaxed).newValue <= Self.callLimit else {
      throw ToDoError.storeUnavailable(detail: "too many account operations are waiting")
    }
    return try await queue.run { [self] _ in try state.withLock { try $0.perform(body) } }
  }
}

extension ConnectionWorker.State {
  fileprivate mutating func perform<Value>(
    _ body: @Sendable (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    if isClosed { throw ToDoError.storeClosed }
    let wasOpen = connection != nil
    do {
      return try performOnce(body)
    } catch let error as PostgreSQLError where wasOpen && connection == nil {
      // The connection may have been lost long before the call, for example by a failover.
      guard error.endsConnection else { throw error }
      return try performOnce(body)
    }
  }

  private mutating func performOnce<Value>(
    _ body: @Sendable (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    let connection = try openConnection()
    do {
      let value = try body(connection)
      if !connection.isUsable { self.connection = nil }
      return value
    } catch {
      let isLost = (error as? PostgreSQLError)?.endsConnection ?? false
      if isLost || !connection.isUsable || connection.isInTransaction { self.connection = nil }
      throw error
    }
  }

  private mutating func openConnection() throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection { return connection }
    if let failure, now() < failure.nextAttempt { throw failure.error }
    do throws(PostgreSQLError) {
      let opened = try PostgreSQLConnection(settings)
      connection = opened
      failure = nil
      return opened
    } catch {
      failure = (error, now() + ConnectionWorker.connectInterval)
      throw error
    }
  }
}
#endif
