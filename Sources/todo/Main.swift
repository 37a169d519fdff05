import ProgramSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The entry point of `todo`.
@main
enum Main {
  // On the main actor, so that the arguments are parsed, and the version and help are printed, without another thread.
  @MainActor static func main() async {
    Signals.installActions()
    let program = Program(context: .live())
    let status =
      switch program.prepare(Array(CommandLine.arguments.dropFirst())) {
      case .command(let command): await program.run(command)
      case .finished(let status): status
      }
    exit(status.rawValue)
  }
}

/// The signal actions of the process.
private enum Signals {
  static func installActions() {
    // The write that fails reports a closed pipe.
    signal(SIGPIPE, SIG_IGN)
    // A shell ignores SIGINT in the programs that it runs in the background.
    guard !SignalAction.current(for: SIGINT).isIgnored else { return }
    // Nothing needs to be cleaned up: transactions are atomic, and a server detects that its client has disconnected.
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
  }
}
