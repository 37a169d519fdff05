import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread that waits for signals, keys, and the going of whoever reads the output, and reports them.
final class TerminalListener: Sendable {
  private let listening: TerminalListening
  private let report: @Sendable (TerminalEvent) -> Void
  private let isOver = Atomic<Bool>(false)

  init(_ listening: TerminalListening, _ report: @escaping @Sendable (TerminalEvent) -> Void) {
    self.listening = listening
    self.report = report
  }

  /// - Returns: what ends it.
  func start() -> @Sendable () -> Void {
    let signals = listening == .all ? [SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT] : []
    let release = SignalPipe.catchSignals(signals + [SIGINT, SIGTERM, SIGHUP])
    DispatchQueue(label: "todo.terminal").async { self.wait() }
    return {
      release()
      self.isOver.store(true, ordering: .releasing)
      SignalPipe.wake()
    }
  }

  private func wait() {
    let none = pollfd(fd: -1, events: 0, revents: 0)
    var signals = pollfd(fd: SignalPipe.descriptor, events: Int16(POLLIN), revents: 0)
    var keys = listening == .all ? pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0) : none
    // Nothing is asked for: that a pipe has no reader any more is told anyway.
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    while !isOver.load(ordering: .acquiring) {
      var ready = [signals, keys, output]
      let count = poll(&ready, nfds_t(ready.count), listening == .all ? Self.idleMilliseconds : -1)
      (signals, keys, output) = (ready[0], ready[1], ready[2])
      guard count != 0 else {
        report(.idle)
        continue
      }
      guard count > 0 else { continue }
      if signals.revents != 0 { for signal in SignalPipe.read() { Self.event(of: Int32(signal)).map(report) } }
      if keys.revents != 0, !readKeys() { keys = none }
      if output.revents != 0 {
        output = none
        report(.outputClosed)
      }
    }
  }

  private static let idleMilliseconds: Int32 = 500

  private static func event(of signal: Int32) -> TerminalEvent? {
    switch signal {
    case SIGWINCH: .resized
    case SIGTSTP: .suspensionRequested
    case SIGCONT: .continued
    case SIGINT, SIGTERM, SIGHUP, SIGQUIT: .interrupted
    default: nil
    }
  }

  /// - Returns: whether there may be more.
  private func readKeys() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 {
      report(.typed(Array(bytes.prefix(count))))
      return true
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    // A terminal's input ends only when the terminal is gone; other input just has nothing to say.
    if isatty(STDIN_FILENO) == 1 || count < 0 { report(.interrupted) }
    return false
  }
}
