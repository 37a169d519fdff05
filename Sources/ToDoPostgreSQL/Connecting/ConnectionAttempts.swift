#if PostgreSQL
import CToDoLibPQ
import Glibc

/// Connects to the first host that accepts the connection, in the order of the hosts.
///
/// When a host fails, the next one is tried immediately. When a host does not respond within `headStart`, the next
/// one is tried concurrently, so that a frozen host does not take the time of the others. libpq itself would wait for
/// the frozen host. While a host does not respond, those that failed are tried again: a standby may become the primary.
struct ConnectionAttempts {
  /// The time that a host has to respond before the next host is tried too.
  private static let headStart = Duration.milliseconds(250)

  private let notices: NoticeRecord
  private let deadline: Deadline
  private let hosts: [ConnectionOptions]
  /// The positions of the hosts that are tried next, and of those that failed since they were tried last.
  private var remaining: ArraySlice<Int>
  private var failed: [Int] = []
  private var attempts: [(host: Int, attempt: ConnectionAttempt)] = []
  /// The last error of each host that failed.
  private var failures: [Int: String] = [:]
  private var nextStart: ContinuousClock.Instant = .now

  private init(_ hosts: [ConnectionOptions], notices: NoticeRecord, until deadline: Deadline) {
    self.hosts = hosts
    remaining = Array(hosts.indices)[...]
    self.notices = notices
    self.deadline = deadline
  }

  /// Connects before a deadline.
  ///
  /// - Returns: a connection that the caller closes before it releases `notices`.
  /// - Throws: `PostgreSQLError` with the kind `unavailable`, or `other` if the settings are invalid.
  static func connect(
    _ settings: ConnectionSettings, notices: NoticeRecord, until deadline: Deadline
  ) throws(PostgreSQLError) -> OpaquePointer {
    var attempts = ConnectionAttempts(try settings.options().ofEachHost, notices: notices, until: deadline)
    return try attempts.run()
  }

  private mutating func run() throws(PostgreSQLError) -> OpaquePointer {
    while true {
      if let next = remaining.first, attempts.isEmpty || nextStart <= .now {
        remaining.removeFirst()
        nextStart = .now + Self.headStart
        attempts.append((next, ConnectionAttempt(hosts[next], notices: notices)))
      }
      if let handle = advance() { return handle }
      if attempts.isEmpty && remaining.isEmpty { throw failure() }
      if deadline.hasPassed { throw failure(["a host did not respond in time"]) }
      if remaining.isEmpty, !failed.isEmpty {
        (remaining, failed) = (failed[...], [])
        nextStart = .now + Self.headStart
      }
      if !attempts.isEmpty { wait() }
    }
  }

  private func failure(_ reasons: [String] = []) -> PostgreSQLError {
    let reasons = reasons + failures.sorted { $0.key < $1.key }.map(\.value)
    return PostgreSQLError(.unavailable, message: reasons.joined(separator: "; "))
  }

  /// Handles the states of the attempts.
  ///
  /// - Returns: the connection of the first attempt that succeeded.
  private mutating func advance() -> OpaquePointer? {
    for (host, attempt) in attempts {
      switch attempt.state {
      case .waiting: break
      case .connected: return attempt.takeHandle()
      case .failed(let message):
        failures[host] = message
        failed.append(host)
        nextStart = .now
      }
    }
    attempts.removeAll { if case .waiting = $0.attempt.state { false } else { true } }
    return nil
  }

  /// Waits for the sockets of the attempts, until the next host is due.
  private func wait() {
    var descriptors = attempts.map(\.attempt.descriptor)
    let end = remaining.isEmpty ? deadline.instant : min(deadline.instant, nextStart)
    guard Deadline(end).poll(&descriptors) else { return }
    for ((_, attempt), descriptor) in zip(attempts, descriptors) where descriptor.revents != 0 { attempt.proceed() }
  }
}

/// An attempt to connect to a host. Closes the connection with its last reference unless `takeHandle` was called.
private final class ConnectionAttempt {
  enum State {
    case waiting(events: Int32)
    case connected
    case failed(message: String)
  }

  private var handle: OpaquePointer?
  private(set) var state: State
  private let notices: NoticeRecord

  init(_ options: ConnectionOptions, notices: NoticeRecord) {
    self.notices = notices
    guard let handle = options.startConnecting() else {
      state = .failed(message: "out of memory")
      return
    }
    self.handle = handle
    notices.receiveNotices(of: handle)
    state =
      PQstatus(handle) == CONNECTION_BAD
      ? .failed(message: PostgreSQLError(.unavailable, of: handle).message) : .waiting(events: Int32(POLLOUT))
  }

  deinit { PQfinish(handle) }

  /// The socket, which may change at each step.
  var descriptor: pollfd {
    guard case .waiting(let events) = state else { return pollfd(fd: -1, events: 0, revents: 0) }
    return pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
  }

  /// Performs the next step of the attempt. The socket must be ready.
  func proceed() {
    guard let handle else { return }
    switch PQconnectPoll(handle) {
    case PGRES_POLLING_READING: state = .waiting(events: Int32(POLLIN))
    case PGRES_POLLING_WRITING: state = .waiting(events: Int32(POLLOUT))
    case PGRES_POLLING_OK: state = .connected
    default: state = .failed(message: PostgreSQLError(.unavailable, of: handle).message)
    }
  }

  /// Returns the connection, which the caller then closes.
  func takeHandle() -> OpaquePointer? {
    defer { handle = nil }
    return handle
  }
}
#endif
