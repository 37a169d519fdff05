import ProgramSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    Signals.prepare()
    let status = await Program(context: .live()).run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}

/// What the process does when it is interrupted, or its reader goes away.
private enum Signals {
  static func prepare() {
    // A closed pipe is seen by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    // A shell asks that what it runs in the background be spared.
    guard !SignalAction.current(for: SIGINT).isIgnoring else { return }
    // Nothing needs cleaning up: transactions are atomic, and a server notices that its client is gone.
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
  }
}
