import Glibc
import ToDoSupport

/// The entry point of `todo`.
@main
enum Main {
  // On the main actor, so that the arguments are parsed, and the version and help are printed, without another thread.
  @MainActor static func main() async {
    Signals.installActions()
    let program = Program(context: .live())
    guard let arguments = arguments else { exit(program.report(.invalidUTF8).rawValue) }
    let status =
      switch program.prepare(arguments) {
      case .command(let command, let list): await program.run(command, list: list)
      case .completion(let request): await program.complete(request)
      case .finished(let status): status
      }
    exit(status.rawValue)
  }

  /// The arguments without the program's name, or `nil` if one is not UTF-8. `CommandLine.arguments` would repair it.
  @MainActor private static var arguments: [String]? {
    let arguments = (1..<max(1, Int(CommandLine.argc))).map { index in
      CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
    }
    return arguments.contains(nil) ? nil : arguments.compactMap(\.self)
  }
}

extension Failure {
  fileprivate static let invalidUTF8 = Failure.usage("an argument is not valid UTF-8", reason: "INVALID_UTF8")
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
