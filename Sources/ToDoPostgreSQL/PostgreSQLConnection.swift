#if PostgreSQL
import CToDoLibPQ
import Glibc

/// A connection to a PostgreSQL server, used by one thread at a time.
///
/// Each call blocks its thread until the server has responded, at most for `timeout`. A call that takes longer shuts
/// the connection down, because the state of the server is unknown then. The server is never sent a cancel request,
/// which could hide that a commit was not replicated.
package final class PostgreSQLConnection {
  private let handle: OpaquePointer
  private let notices = NoticeRecord()
  /// The names of the prepared statements.
  private var prepared: [PreparedStatement: String] = [:]
  /// The number of names that were used for prepared statements. A name is not used again.
  private var nameCount = 0
  private var isShutDown = false

  /// The maximum time of a call.
  package var timeout: Duration = .seconds(5)
  /// Whether a call ends soon after the task that makes it was canceled, which shuts the connection down. Only for
  /// connections that read, because the outcome of a write would be unknown.
  package var endsWithTask = false
  /// Ends a wait for notifications from another thread.
  package private(set) lazy var interrupter = Interrupter()

  /// Connects, and runs the session statements.
  ///
  /// - Throws: `PostgreSQLError`, with the kind `unavailable` if no host accepts the connection in time.
  package init(_ settings: ConnectionSettings) throws(PostgreSQLError) {
    let deadline = Deadline(after: settings.connectTimeout)
    handle = try ConnectionAttempts.connect(settings, notices: notices, until: deadline)
    PQsetnonblocking(handle, 1)
    if !settings.sessionStatements.isEmpty {
      try execute(settings.sessionStatements.joined(separator: ";\n"), until: deadline)
    }
  }

  deinit { PQfinish(handle) }

  /// Whether the connection can run statements. False once it is lost or a call has timed out.
  package var isUsable: Bool { !isShutDown && PQstatus(handle) == CONNECTION_OK }

  /// Whether a transaction is open, including a failed one that can only be rolled back.
  package var isInTransaction: Bool {
    isUsable && PQtransactionStatus(handle) != PQTRANS_IDLE && PQtransactionStatus(handle) != PQTRANS_UNKNOWN
  }

  /// Whether the server has sent a warning since the caller last set this to false that may be of a commit that was
  /// not replicated, so that a failover could undo it. Some harmless warnings set it too.
  package var commitIsUncertain: Bool {
    get { notices.commitIsUncertain }
    set { notices.commitIsUncertain = newValue }
  }

  /// The process ID of the server's backend, as in `pg_stat_activity`.
  package var backendProcessID: Int32 { PQbackendPID(handle) }

  // MARK: State

  /// - Throws: `PostgreSQLError` if the connection is lost.
  private func checkIsUsable() throws(PostgreSQLError) {
    if !isUsable { throw PostgreSQLError(.lostConnection, message: "the connection is lost") }
  }

  /// Makes the connection unusable. The server ends the session as soon as it uses the connection.
  private func shutDown() {
    isShutDown = true
    let socket = PQsocket(handle)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  /// Shuts the connection down after libpq failed to perform a call.
  func failure(sql: String? = nil) -> PostgreSQLError {
    let kind: PostgreSQLError.Kind = isUsable ? .other : .lostConnection
    defer { shutDown() }
    return PostgreSQLError(kind, of: handle, sql: sql)
  }
}

extension PostgreSQLConnection {
  /// Runs statements that have no parameters, and discards their rows. Without `BEGIN` they are one transaction.
  ///
  /// - Throws: `PostgreSQLError`.
  package func execute(_ script: String) throws(PostgreSQLError) {
    try execute(script, until: Deadline(after: timeout))
  }

  func execute(_ script: String, until deadline: Deadline) throws(PostgreSQLError) {
    try checkIsUsable()
    guard PQsendQuery(handle, script) == 1 else { throw failure(sql: script) }
    var results = ScriptResults(script: script)
    try receive(&results, until: deadline)
    if let failure = results.failure { throw failure }
  }

  /// Runs a statement. The connection retains the prepared statement for the next call with the same text and types.
  ///
  /// - Throws: `PostgreSQLError`.
  package func run(_ statement: SQL, _ parameters: Parameters = Parameters()) throws(PostgreSQLError) -> Rows {
    let results = try send([BoundStatement(statement, parameters)])
    guard let rows = results.first else { throw .malformedResult }
    return rows
  }

  /// Runs statements in one round trip, and returns their results.
  ///
  /// If a statement fails, the statements after it are skipped, `COMMIT` included. Statements outside `BEGIN` and
  /// `COMMIT` are one transaction. A `COMMIT` of a transaction that has failed before the batch rolls back: its
  /// `Rows.tag` is `ROLLBACK`.
  ///
  /// - Throws: `PostgreSQLError`, with `statementIndex` if a statement failed. A transaction that is open must then
  ///   be rolled back.
  package func send(_ batch: [BoundStatement]) throws(PostgreSQLError) -> [Rows] {
    try checkIsUsable()
    guard !batch.isEmpty else { return [] }
    for (index, statement) in batch.enumerated() where statement.parameters.isTooLong {
      throw PostgreSQLError(
        .other, message: "a parameter is longer than 1 GiB", sql: statement.sql.text, statementIndex: index)
    }
    let deadline = Deadline(after: timeout)
    var results = PipelineResults(batch, commands: try enqueue(batch))
    defer { prepared.merge(results.prepared) { $1 } }
    try receive(&results, until: deadline)
    guard PQexitPipelineMode(handle) == 1 else { throw failure() }
    if let failure = results.failure {
      forgetPreparedStatement(of: failure, in: batch)
      throw failure
    }
    guard results.rows.count == batch.count else { throw .malformedResult }
    return results.rows
  }

  /// Writes a batch's messages into libpq's buffer.
  private func enqueue(_ batch: [BoundStatement]) throws(PostgreSQLError) -> [PipelineCommand] {
    guard PQenterPipelineMode(handle) == 1 else { throw failure() }
    var commands: [PipelineCommand] = []
    var names: [PreparedStatement: String] = [:]
    for (index, bound) in batch.enumerated() {
      let statement = PreparedStatement(sql: bound.sql, types: bound.parameters.types)
      let name: String
      if let existing = prepared[statement] ?? names[statement] {
        name = existing
      } else {
        nameCount += 1
        name = "s\(nameCount)"
        names[statement] = name
        let types = statement.types
        guard PQsendPrepare(handle, name, bound.sql.text, Int32(types.count), types) == 1 else {
          throw failure(sql: bound.sql.text)
        }
        commands.append(.prepare(statement, name: name, index: index))
      }
      let isSent = bound.parameters.withPointers { pointers, lengths, formats in
        PQsendQueryPrepared(handle, name, Int32(lengths.count), pointers, lengths, formats, 1) == 1
      }
      guard isSent else { throw failure(sql: bound.sql.text) }
      commands.append(.run(index: index))
    }
    guard PQpipelineSync(handle) == 1 else { throw failure() }
    return commands
  }

  /// The states of a prepared statement that has become unusable: its result type has changed, or it does not exist.
  private static let staleStates: Set<String> = ["0A000", "26000"]

  /// Makes the next call prepare a statement again if that can correct its error.
  private func forgetPreparedStatement(of failure: PostgreSQLError, in batch: [BoundStatement]) {
    guard let state = failure.state, let index = failure.statementIndex, Self.staleStates.contains(state) else {
      return
    }
    prepared[PreparedStatement(sql: batch[index].sql, types: batch[index].parameters.types)] = nil
  }
}

/// The key of a prepared statement.
struct PreparedStatement: Hashable {
  let sql: SQL
  let types: [UInt32]
}

import Glibc

/// Handles the results of the statements that were sent.
protocol ResultHandler {
  /// The first error of a statement.
  var failure: PostgreSQLError? { get }

  /// Handles a result, which it releases. `nil` ends a statement's results.
  mutating func handle(_ result: OpaquePointer?) -> ResultProgress
}

/// The state of an exchange with the server after a result.
enum ResultProgress {
  case expectsMore
  case complete
  /// The result is of a COPY statement.
  case unsupported
}

extension PostgreSQLConnection {
  /// Sends what libpq has buffered, and handles the results concurrently until they are complete: if the client only
  /// sent, and the server waited until it can send results, both would wait forever.
  ///
  /// - Throws: `PostgreSQLError` if the connection is lost or the deadline has passed. Errors of statements are
  ///   handled.
  func receive(_ handler: inout some ResultHandler, until deadline: Deadline) throws(PostgreSQLError) {
    while true {
      // If this or PQconsumeInput fails, the state of the connection has changed, or the socket is readable.
      let events = PQflush(handle) > 0 ? POLLIN | POLLOUT : POLLIN
      guard PQstatus(handle) == CONNECTION_OK else { throw lostConnection(handler) }
      try wait(for: Int16(events), until: deadline)
      PQconsumeInput(handle)
      while PQisBusy(handle) == 0 {
        let result = PQgetResult(handle)
        switch handler.handle(result) {
        case .expectsMore: break
        case .complete: return
        case .unsupported:
          shutDown()
          throw PostgreSQLError(.other, message: "COPY is not supported")
        }
        if result == nil && PQstatus(handle) != CONNECTION_OK { throw lostConnection(handler) }
      }
      guard PQstatus(handle) == CONNECTION_OK else { throw lostConnection(handler) }
    }
  }

  private func wait(for events: Int16, until deadline: Deadline) throws(PostgreSQLError) {
    var descriptors = [pollfd(fd: PQsocket(handle), events: events, revents: 0)]
    var slice = deadline
    repeat {
      if endsWithTask { slice = Deadline(min(deadline.instant, .now + Self.cancellationCheckInterval)) }
      if slice.poll(&descriptors) { return }
      if endsWithTask, Task.isCancelled {
        shutDown()
        throw PostgreSQLError(.abandoned, message: "the task was cancelled")
      }
    } while slice.instant < deadline.instant
    shutDown()
    throw PostgreSQLError(.timedOut, message: "the server did not respond in time")
  }

  /// Longer than most calls take, so that few look whether their task was canceled.
  private static var cancellationCheckInterval: Duration { .milliseconds(50) }

  /// Returns the error that the server sent before the end of the connection, if any.
  private func lostConnection(_ handler: some ResultHandler) -> PostgreSQLError {
    var handler = handler
    let fallback = PostgreSQLError(.lostConnection, of: handle)
    // The connection is closed, so that this does not block. libpq then returns a result without SQLSTATE.
    while let result = PQgetResult(handle) { _ = handler.handle(result) }
    shutDown()
    return handler.failure ?? fallback
  }
}

import Glibc

/// A notification of a channel that the connection listens to.
package struct Notification: Equatable, Sendable {
  /// The channel.
  package let channel: String
  /// The payload, which may be empty.
  package let payload: String
  /// The process ID of the backend that has sent it, see `PostgreSQLConnection.backendProcessID`.
  package let processID: Int32
}

extension PostgreSQLConnection {
  /// Waits for notifications.
  ///
  /// - Returns: the notifications since the last call; none if the time has passed or `Interrupter.interrupt()` was
  ///   called.
  /// - Throws: `PostgreSQLError` if the connection is lost.
  package func notifications(within duration: Duration) throws(PostgreSQLError) -> [Notification] {
    try checkIsUsable()
    let deadline = Deadline(after: duration)
    while true {
      let notifications = takeNotifications()
      if !notifications.isEmpty { return notifications }
      var descriptors = [PQsocket(handle), interrupter.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard deadline.poll(&descriptors) else { return [] }
      guard PQconsumeInput(handle) == 1 else { throw failure() }
      if descriptors[1].revents != 0 {
        interrupter.reset()
        return takeNotifications()
      }
    }
  }

  private func takeNotifications() -> [Notification] {
    var notifications: [Notification] = []
    while let next = PQnotifies(handle) {
      defer { PQfreemem(next) }
      notifications.append(
        Notification(
          channel: String(cString: next.pointee.relname), payload: String(cString: next.pointee.extra),
          processID: next.pointee.be_pid))
    }
    return notifications
  }
}
#endif
