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
    var previous = sigaction()
    sigaction(SIGINT, nil, &previous)
    // Whoever started the program may have asked that it be spared: a shell does so for what it runs in the background.
    guard !isIgnored(previous) else { return }
    // Nothing needs cleaning up: transactions are atomic, and a server notices that its client is gone.
    signal(SIGINT) { _ in _exit(ProgramStatus.interrupted.rawValue) }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
