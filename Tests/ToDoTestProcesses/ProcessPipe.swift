import Glibc
import Synchronization

/// A pipe between the test's process and a process that it starts. No other process inherits its ends.
package struct ProcessPipe: Sendable {
  package let readingEnd: OwnedDescriptor
  package let writingEnd: OwnedDescriptor

  package init() throws {
    var ends: [Int32] = [-1, -1]
    // Swift's Glibc module lacks pipe2.
    try Self.creation.withLock { _ in
      guard pipe(&ends) == 0 else { throw SystemError("cannot create a pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    (readingEnd, writingEnd) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
  }

  /// Locked while a pipe is not yet close-on-exec.
  private static let creation = Mutex(())

  /// Calls `body`, which starts a process, while every pipe is close-on-exec.
  static func whileNoneIsInheritable<Result>(_ body: () -> Result) -> Result {
    creation.withLock { _ in body() }
  }
}
