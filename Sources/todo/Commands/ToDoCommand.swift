import ArgumentParser
import ProgramSupport

/// A subcommand: flags in, calls of a service, text out.
protocol ToDoCommand: ParsableCommand {
  var global: GlobalOptions { get }

  /// - Throws: any error that `Failure.init(_:)` reports, or an `ExitStatus` if the command has already reported the failure.
  func run(in session: Session) async throws
}
