#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the program has around it.
struct ProgramContext: Sendable {
  var environment: @Sendable (String) -> String?
  var print: @Sendable (String) -> Void
  var printError: @Sendable (String) -> Void
  /// Whether somebody looks at what `printError` prints.
  var errorIsTerminal = false
  /// Whether the person asks to end.
  var isInterrupted: @Sendable () -> Bool = { false }
}

extension ProgramContext {
  /// Those of the process.
  static func live(isInterrupted: @escaping @Sendable () -> Bool) -> ProgramContext {
    ProgramContext(
      // An empty variable is as good as none.
      environment: { name in getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } },
      print: { Output.write($0, to: STDOUT_FILENO) },
      printError: { Output.write($0, to: STDERR_FILENO) },
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      isInterrupted: isInterrupted)
  }
}
