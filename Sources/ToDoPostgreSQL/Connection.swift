#if PostgreSQL
import CToDoLibPQ

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A connection to a PostgreSQL server, used by one thread at a time.
///
/// Each call blocks its thread until the server has responded, at most for `timeout`. A call that takes longer shuts
/// the connection down, because the state of the server is unknown then. The server is never sent a cancel request,
/// which could hide that a commit was not replicated.
package final class Connection {
  let handle: OpaquePointer
  private let notices = NoticeRecord()
  /// The names of the prepared statements.
  var prepared: [PreparedStatement: String] = [:]
  /// The number of names that were used for prepared statements. A name is not used again.
  var nameCount = 0
  private var isShutDown = false

  /// The maximum time of a call.
  package var timeout: Duration = .seconds(5)
  /// Whether a call ends soon after the task that makes it was cancelled, which shuts the connection down. Only for
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

  /// Whether a transaction is open, also a failed one that can only be rolled back.
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
  func checkIsUsable() throws(PostgreSQLError) {
    if !isUsable { throw PostgreSQLError(.lostConnection, message: "the connection is lost") }
  }

  /// Makes the connection unusable, and the server end its session as soon as it uses the connection.
  func shutDown() {
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
#endif
