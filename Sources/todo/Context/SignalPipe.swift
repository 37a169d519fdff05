import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pipe that signal handlers write the numbers of their signals into, the only thing that they can do.
///
/// It is made once and stays, for a handler may run at any time, and global since a handler has no other way to it.
enum SignalPipe {
  private static let ends: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A handler must not wait for room, nor a reader for a signal.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }()
  private static let handlerEnd = Atomic<Int32>(-1)
  private static let endRequests = Atomic<Int>(0)

  /// Becomes readable when something was written; -1 when the process has no descriptors left.
  static var descriptor: Int32 { ends.reading }

  /// Writes signals into the pipe from now on, but for those that the process was told to ignore. The second that asks
  /// the process to end does end it.
  ///
  /// - Returns: what undoes it.
  static func catchSignals(_ signals: [Int32]) -> @Sendable () -> Void {
    handlerEnd.store(ends.writing, ordering: .sequentiallyConsistent)
    endRequests.store(0, ordering: .sequentiallyConsistent)
    let previous = signals.map { (signal: $0, action: SignalAction.current(for: $0)) }
      .filter { !$0.action.isIgnoring }
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
    let endsNow =
      SignalPipe.isEnding(signal) && SignalPipe.endRequests.add(1, ordering: .relaxed).newValue > 1
    if endsNow {
      ScreenModes.leave()
      _exit(128 + signal)
    }
    SignalPipe.write(UInt8(truncatingIfNeeded: signal), to: SignalPipe.handlerEnd.load(ordering: .relaxed))
    errno = number
  }

  private static func isEnding(_ signal: Int32) -> Bool {
    signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT
  }

  /// Wakes the reader with a byte that is no signal.
  static func wake() { write(0, to: ends.writing) }

  /// What was written since the last call.
  static func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    #if canImport(Glibc)
      let count = Glibc.read(ends.reading, &bytes, bytes.count)
    #elseif canImport(Musl)
      let count = Musl.read(ends.reading, &bytes, bytes.count)
    #else
      let count = Darwin.read(ends.reading, &bytes, bytes.count)
    #endif
    return Array(bytes.prefix(max(0, count)))
  }

  private static func write(_ byte: UInt8, to descriptor: Int32) {
    var byte = byte
    #if canImport(Glibc)
      _ = Glibc.write(descriptor, &byte, 1)
    #elseif canImport(Musl)
      _ = Musl.write(descriptor, &byte, 1)
    #else
      _ = Darwin.write(descriptor, &byte, 1)
    #endif
  }
}
