import Glibc
import ToDoScreens

extension TerminalScreen {
  /// Creates a screen over the terminal of the process.
  static func live() -> TerminalScreen {
    TerminalScreen(
      size: windowSize,
      listen: { TerminalListener($0, $1).start() },
      enter: ScreenModes.enter,
      leave: ScreenModes.leave,
      suspend: suspend)
  }

  private static func windowSize() -> WindowSize? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return nil }
    return WindowSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }

  private static func suspend() {
    ScreenModes.leave()
    let caught = SignalAction.current(for: SIGTSTP)
    SignalAction.standard.set(for: SIGTSTP)
    // The threads of Swift's executors block signals.
    var (stop, previous) = (sigset_t(), sigset_t())
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, &previous)
    // Returns when the process continues, or immediately if no shell could resume it.
    raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    caught.set(for: SIGTSTP)
    ScreenModes.enter()
  }
}
