import ArgumentParser
import ToDoSupport

/// A subcommand, which calls a service and prints the result.
protocol ToDoCommand: ParsableCommand, Sendable {
  /// The options that every command accepts.
  var global: GlobalOptions { get }

  /// Runs the command.
  ///
  /// - Throws: any error that `Failure.init(_:)` reports, or an `ExitStatus` if the command has already reported the failure.
  func run(in session: Session) async throws
}
