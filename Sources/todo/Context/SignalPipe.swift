import Glibc
import Synchronization

/// A pipe into which signal handlers write the numbers of their signals (the self-pipe technique).
///
/// The pipe is created once and never closed, because a handler may run at any time. It is global because a handler has no
/// other way to reach it.
enum SignalPipe {
  private static let ends: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // Neither the handler nor the reader may block.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }()
  private static let handlerEnd = Atomic<Int32>(-1)
  private static let terminationRequests = Atomic<Int>(0)

  /// The descriptor that becomes readable after a write, or -1 if the process has run out of descriptors.
  static var descriptor: Int32 { ends.reading }

  /// Installs handlers that write signals into the pipe. Signals that are ignored remain ignored.
  ///
  /// The second signal that requests termination exits the process.
  ///
  /// - Returns: a closure that restores the previous actions.
  static func installHandlers(_ signals: [Int32]) -> @Sendable () -> Void {
    handlerEnd.store(ends.writing, ordering: .sequentiallyConsistent)
    terminationRequests.store(0, ordering: .sequentiallyConsistent)
    let previous = signals.map { (signal: $0, action: SignalAction.current(for: $0)) }
      .filter { !$0.action.isIgnored }
    for (signal, _) in previous { SignalAction(handler).set(for: signal) }
    let box = Mutex(previous)
    return {
      box.withLock { previous in
        for (signal, action) in previous { action.set(for: signal) }
        previous = []
      }
    }
  }

  private static let handler: SignalAction.Handler = { signal in
    let number = errno
    let mustExit =
      SignalPipe.isTerminating(signal) && SignalPipe.terminationRequests.add(1, ordering: .relaxed).newValue > 1
    if mustExit {
      ScreenModes.leave()
      _exit(128 + signal)
    }
    SignalPipe.write(UInt8(truncatingIfNeeded: signal), to: SignalPipe.handlerEnd.load(ordering: .relaxed))
    errno = number
  }

  private static func isTerminating(_ signal: Int32) -> Bool {
    signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT
  }

  /// Wakes the reader with a byte that is not a signal number.
  static func wake() { write(0, to: ends.writing) }

  /// Returns the bytes written since the last call.
  static func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(ends.reading, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  private static func write(_ byte: UInt8, to descriptor: Int32) {
    var byte = byte
    _ = Glibc.write(descriptor, &byte, 1)
  }
}
