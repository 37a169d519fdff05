import ArgumentParser
import ProgramSupport

/// From arguments to an exit status.
struct Program: Sendable {
  let context: CommandContext

  /// Does what the arguments say, reports what fails, and returns the status to exit with.
  ///
  /// - Parameter arguments: without the program's name.
  func run(_ arguments: [String]) async -> ExitStatus {
    do {
      let parsed = try parse(arguments)
      guard let command = parsed as? any ToDoCommand else { return .failure }
      return await run(command)
    } catch {
      return answer(error, asJSON: arguments.prefix { $0 != "--" }.contains("--json"))
    }
  }

  /// - Throws: what ArgumentParser understands, also to ask for help.
  private func parse(_ arguments: [String]) throws -> any ParsableCommand {
    try refuseUnknownCommand(arguments)
    var command = try ToDo.parseAsRoot(arguments)
    // ArgumentParser's own commands print by throwing.
    if !(command is any ToDoCommand) { try command.run() }
    return command
  }

  private func run(_ command: any ToDoCommand) async -> ExitStatus {
    let session = Session(options: command.global, context: context)
    do {
      try await command.run(in: session)
      return .success
    } catch let status as ExitStatus {
      return status
    } catch {
      let failure = Failure(error)
      session.report(failure)
      return failure.status
    }
  }

  /// The default subcommand would call a mistyped command an unexpected argument of `list`.
  private func refuseUnknownCommand(_ arguments: [String]) throws {
    guard let name = arguments.first, !name.hasPrefix("-"), name != "help",
      !ToDo.configuration.subcommands.contains(where: { $0.configuration.commandName == name })
    else { return }
    throw ValidationError("there is no command '\(name.escapingControls())'")
  }

  /// Prints help on standard output, and wrong usage on standard error.
  private func answer(_ error: any Error, asJSON: Bool) -> ExitStatus {
    let isHelp = ToDo.exitCode(for: error).isSuccess
    guard !isHelp else {
      do {
        try context.terminal.output(ToDo.fullMessage(for: error, columns: context.columns ?? 80) + "\n")
        return .success
      } catch {
        return report(Failure(error), asJSON: asJSON)
      }
    }
    if asJSON { return report(.usage(ToDo.message(for: error)), asJSON: true) }
    context.terminal.error(ToDo.fullMessage(for: error).escapingControls(keepingLines: true) + "\n")
    return .usage
  }

  private func report(_ failure: Failure, asJSON: Bool) -> ExitStatus {
    context.terminal.error((asJSON ? failure.json.lineText : failure.text) + "\n")
    return failure.status
  }
}
