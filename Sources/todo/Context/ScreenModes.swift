import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The modes of the terminal while a program has the whole window.
///
/// The state is global since a signal handler has no other way to it: what ends the process must restore the terminal.
/// It is one terminal and one process.
enum ScreenModes {
  private static let isEntered = Atomic<Bool>(false)
  /// The line discipline before; made once, and never freed, for a handler may use it at any time.
  /// Safe, for the pointer is atomic, and what it points to is written only by `enter`, while no handler reads it.
  nonisolated(unsafe) private static let original = Atomic<UnsafeMutablePointer<termios>?>(nil)
  /// What crashes did before, by signal. Safe, for the pointer is atomic, and set when all it points to is written.
  nonisolated(unsafe) private static let crashActions = Atomic<UnsafeMutablePointer<SignalAction>?>(nil)

  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  // xterm's other screen; the cursor; and no wrapping of lines that are wider than the terminal thinks.
  private static let entering: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  static func enter() {
    guard !isEntered.load(ordering: .acquiring) else { return }
    watchCrashes()
    let raw = keepModes()
    isEntered.store(true, ordering: .releasing)
    if var raw {
      // In the background it waits here, stopped, until the person brings it back.
      while tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0, errno == EINTR {}
    }
    write(entering)
  }

  /// May be called from a signal handler.
  static func leave() {
    guard isEntered.exchange(false, ordering: .acquiringAndReleasing) else { return }
    write(leaving)
    guard let modes = original.load(ordering: .acquiring) else { return }
    // A process in the background would be stopped for it.
    var (stopping, previous) = (sigset_t(), sigset_t())
    sigemptyset(&stopping)
    sigaddset(&stopping, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &stopping, &previous)
    tcsetattr(STDIN_FILENO, TCSANOW, modes)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  /// Keeps the modes as they are, and returns the modes to set: keys come one by one and are not echoed; Ctrl-C and
  /// Ctrl-Z still make signals. `nil` when the input is no terminal.
  private static func keepModes() -> termios? {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    if let kept = original.load(ordering: .acquiring) {
      kept.pointee = modes
    } else {
      let kept = UnsafeMutablePointer<termios>.allocate(capacity: 1)
      kept.initialize(to: modes)
      original.store(kept, ordering: .releasing)
    }
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    return modes
  }

  private static func watchCrashes() {
    guard crashActions.load(ordering: .acquiring) == nil else { return }
    let actions = UnsafeMutablePointer<SignalAction>.allocate(capacity: Int(crashes.max() ?? 0) + 1)
    for signal in crashes { (actions + Int(signal)).initialize(to: .current(for: signal)) }
    crashActions.store(actions, ordering: .releasing)
    for signal in crashes {
      SignalAction { signal in
        ScreenModes.leave()
        guard let actions = ScreenModes.crashActions.load(ordering: .acquiring) else { return }
        // The runtime's own report, if there is one, now finds a terminal that can show it.
        (actions + Int(signal)).pointee.set(for: signal)
        raise(signal)
      }.set(for: signal)
    }
  }

  private static func write(_ text: StaticString) {
    #if canImport(Glibc)
      _ = Glibc.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #elseif canImport(Musl)
      _ = Musl.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #else
      _ = Darwin.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    #endif
  }
}
