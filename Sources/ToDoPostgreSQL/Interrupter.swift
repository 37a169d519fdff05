#if PostgreSQL
import Glibc

/// Ends a wait of a connection for notifications, from any thread.
package final class Interrupter: Sendable {
  /// The end of a pipe that becomes readable; negative if the process has too many open files, so that nothing is
  /// interrupted.
  let descriptor: Int32
  private let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if writeEnd >= 0 { close(writeEnd) }
  }

  /// Makes the current wait of the connection return, or the next one if it does not wait.
  package func interrupt() {
    // If the pipe is full, the interruption is already pending.
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// Discards the interruptions so far.
  func reset() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
#endif
