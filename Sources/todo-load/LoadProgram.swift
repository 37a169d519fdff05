import ArgumentParser
import ToDoRPC
import ToDoSupport

/// The program: parses arguments, runs a load test, prints its report and returns an exit status.
struct LoadProgram: Sendable {
  let context: ProgramContext

  /// Runs the program and returns its exit status. Errors are printed.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  func run(_ arguments: [String]) async -> ExitStatus {
    let options: LoadOptions
    do {
      options = try LoadOptions.parse(arguments)
    } catch {
      return printUsage(for: error)
    }
    do {
      return try await run(LoadSettings(options, environment: context.environment))
    } catch {
      context.printError(Self.message(for: error))
      return ExitStatus(error)
    }
  }

  private func run(_ settings: LoadSettings) async throws -> ExitStatus {
    let test = LoadTest(
      settings: settings, statusLine: StatusLine(context), isInterrupted: context.isInterrupted)
    var report = try await test.perform()
    report.failures = settings.conditions.filter { $0.holds(for: report) }.map { $0.explanation(report) }
    context.print(report.rendered(settings.output.printed))
    // The text report contains the failures. The other formats are read by programs, so users get the failures here.
    if settings.output.printed != .text { report.failures.forEach { context.printError("Failed: \($0)\n") } }
    if let file = settings.output.file { try Output.write(report.rendered(file.format), toFile: file.path) }
    return Self.status(of: report)
  }

  static func status(of report: LoadReport) -> ExitStatus {
    switch report.ending {
    case .interrupted: .interrupted
    case .serverLost: .unreachable
    case .asPlanned: report.failures.isEmpty ? .success : .conditionHolds
    }
  }

  /// Prints requested help or the version on standard output, and a usage error on standard error.
  private func printUsage(for error: any Error) -> ExitStatus {
    let isHelp = LoadOptions.exitCode(for: error).isSuccess
    let text = LoadOptions.fullMessage(for: error, columns: isHelp ? 80 : nil) + "\n"
    if isHelp { context.print(text) } else { context.printError(text) }
    return isHelp ? .success : .usage
  }

  private static func message(for error: any Error) -> String {
    switch error {
    case let error as UsageError: "Error: \(error)\n  Run 'todo-load --help' for all options.\n"
    case let error as RPCError: "Error: \(error.message)\n"
    case is CancellationError: "Interrupted.\n"
    default: "Error: \(error)\n"
    }
  }
}
