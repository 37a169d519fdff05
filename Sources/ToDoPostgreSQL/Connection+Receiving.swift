#if PostgreSQL
import CToDoLibPQ

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Handles the results of the statements that were sent.
protocol ResultHandler {
  /// The first error of a statement.
  var failure: PostgreSQLError? { get }

  /// Handles a result, which it releases. `nil` is the end of the results of a statement.
  mutating func handle(_ result: OpaquePointer?) -> ResultProgress
}

/// The state of an exchange with the server after a result.
enum ResultProgress {
  case expectsMore
  case complete
  /// The result is of a COPY statement.
  case unsupported
}

extension Connection {
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

  /// Longer than most calls take, so that few look whether their task was cancelled.
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
#endif
