import Glibc
import Synchronization

/// The terminal modes of full-screen output.
///
/// The state is global because a signal handler that ends the process must restore the terminal, and has no other way to
/// reach the state. A process has at most one controlling terminal.
enum ScreenModes {
  private static let isEntered = Atomic<Bool>(false)
  /// The line discipline before `enter`. Allocated once and never freed, because a handler may read it at any time.
  ///
  /// Safe because the pointer is atomic, and only `enter` writes the pointee, at a time when no handler reads it.
  nonisolated(unsafe) private static let original = Atomic<UnsafeMutablePointer<termios>?>(nil)
  /// The previous actions of crash signals, indexed by signal.
  ///
  /// Safe because the pointer is atomic, and is published after the pointee is initialized.
  nonisolated(unsafe) private static let crashActions = Atomic<UnsafeMutablePointer<SignalAction>?>(nil)

  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  // The alternate screen, a hidden cursor, and no line wrapping, in case the terminal computes wider lines than `todo`. Then
  // mouse presses (1000) as SGR sequences (1006), and bracketed paste. While mouse presses are reported, most terminals select
  // text with Shift.
  private static let entering: StaticString =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h"
  private static let leaving: StaticString =
    "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Switches to full-screen output. Has no effect if already entered.
  static func enter() {
    guard !isEntered.load(ordering: .acquiring) else { return }
    installCrashHandlers()
    let raw = saveModes()
    isEntered.store(true, ordering: .releasing)
    if var raw {
      // A background process is stopped here until the user brings it to the foreground.
      while tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0, errno == EINTR {}
    }
    write(entering)
  }

  /// Restores the terminal. Has no effect if not entered. Async-signal-safe.
  static func leave() {
    guard isEntered.exchange(false, ordering: .acquiringAndReleasing) else { return }
    write(leaving)
    guard let modes = original.load(ordering: .acquiring) else { return }
    // SIGTTOU would stop a background process that sets terminal modes.
    var (stopping, previous) = (sigset_t(), sigset_t())
    sigemptyset(&stopping)
    sigaddset(&stopping, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &stopping, &previous)
    tcsetattr(STDIN_FILENO, TCSANOW, modes)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  /// Saves the current modes, and returns the modes to set, or `nil` if the input is not a terminal.
  ///
  /// In the returned modes, each key is delivered immediately and not echoed. Ctrl-C and Ctrl-Z still send signals.
  private static func saveModes() -> termios? {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    if let saved = original.load(ordering: .acquiring) {
      saved.pointee = modes
    } else {
      let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
      saved.initialize(to: modes)
      original.store(saved, ordering: .releasing)
    }
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    return modes
  }

  /// Restores the terminal when the process crashes.
  private static func installCrashHandlers() {
    guard crashActions.load(ordering: .acquiring) == nil else { return }
    let actions = UnsafeMutablePointer<SignalAction>.allocate(capacity: Int(crashes.max() ?? 0) + 1)
    for signal in crashes { (actions + Int(signal)).initialize(to: .current(for: signal)) }
    crashActions.store(actions, ordering: .releasing)
    for signal in crashes {
      SignalAction { signal in
        ScreenModes.leave()
        guard let actions = ScreenModes.crashActions.load(ordering: .acquiring) else { return }
        // The terminal is restored, so that the runtime's crash report is readable.
        (actions + Int(signal)).pointee.set(for: signal)
        raise(signal)
      }.set(for: signal)
    }
  }

  private static func write(_ text: StaticString) {
    _ = Glibc.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
