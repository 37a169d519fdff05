import Dispatch
import Glibc
import Synchronization

/// A thread that reports signals, keys and the closing of the output pipe.
final class TerminalListener: Sendable {
  private let filter: TerminalEventFilter
  private let report: @Sendable (TerminalEvent) -> Void
  private let isOver = Atomic<Bool>(false)

  /// Creates a listener. It starts with `start()`.
  ///
  /// - Parameter report: receives each event, on the listener's thread.
  init(_ filter: TerminalEventFilter, _ report: @escaping @Sendable (TerminalEvent) -> Void) {
    self.filter = filter
    self.report = report
  }

  /// Starts the thread.
  ///
  /// - Returns: a closure that stops the thread and restores the signal actions.
  func start() -> @Sendable () -> Void {
    let signals = filter == .all ? [SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT] : []
    let release = SignalPipe.installHandlers(signals + [SIGINT, SIGTERM, SIGHUP])
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
    var keys = filter == .all ? pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0) : none
    // No events are requested, because poll always reports that the reader has closed the pipe.
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    while !isOver.load(ordering: .acquiring) {
      var ready = [signals, keys, output]
      let count = poll(&ready, nfds_t(ready.count), filter == .all ? Self.idleMilliseconds : -1)
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

  private static let idleMilliseconds: Int32 = 1000

  private static func event(of signal: Int32) -> TerminalEvent? {
    switch signal {
    case SIGWINCH: .resized
    case SIGTSTP: .suspensionRequested
    case SIGCONT: .continued
    case SIGINT, SIGTERM, SIGHUP, SIGQUIT: .interrupted
    default: nil
    }
  }

  /// Reads and reports typed keys.
  ///
  /// - Returns: whether more input may follow.
  private func readKeys() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 {
      report(.typed(Array(bytes.prefix(count))))
      return true
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    // The input of a terminal ends only when the terminal is gone. The end of any other input is not an event.
    if isatty(STDIN_FILENO) == 1 || count < 0 { report(.interrupted) }
    return false
  }
}
