import Glibc

/// The process environment of the program, which tests replace.
struct ProgramContext: Sendable {
  var environment: @Sendable (String) -> String?
  var print: @Sendable (String) -> Void
  var printError: @Sendable (String) -> Void
  /// Whether `printError` prints to a terminal.
  var errorIsTerminal = false
  /// Whether the user has interrupted the program.
  var isInterrupted: @Sendable () -> Bool = { false }
}

extension ProgramContext {
  /// Returns the context of the process.
  static func live(isInterrupted: @escaping @Sendable () -> Bool) -> ProgramContext {
    ProgramContext(
      // An empty variable counts as unset.
      environment: { name in getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } },
      print: { Output.write($0, to: STDOUT_FILENO) },
      printError: { Output.write($0, to: STDERR_FILENO) },
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      isInterrupted: isInterrupted)
  }
}
