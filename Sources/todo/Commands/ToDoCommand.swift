import ArgumentParser

/// A subcommand: flags in, calls of a service, text out.
protocol ToDoCommand: ParsableCommand {
  var global: GlobalOptions { get }

  /// - Throws: what `Failure.init(_:)` reports, or `ProgramStatus` when all has been reported.
  func run(in session: Session) async throws
}

extension ProgramStatus: Error {}
