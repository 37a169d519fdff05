#if PostgreSQL
import CToDoLibPQ

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A notification of a channel that the connection listens to.
package struct Notification: Equatable, Sendable {
  /// The channel.
  package let channel: String
  /// The payload, which may be empty.
  package let payload: String
  /// The process ID of the backend that has sent it, see `Connection.backendProcessID`.
  package let processID: Int32
}

extension Connection {
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
