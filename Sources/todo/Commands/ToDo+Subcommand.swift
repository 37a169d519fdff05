import ArgumentParser

extension ToDo {
  /// Parses a subcommand without the other commands, which takes a third of the time of parsing all of them.
  ///
  /// Returns `nil` for everything else, such as help and errors. The root parses these.
  static func parseSubcommand(_ arguments: [String]) -> (any ToDoCommand)? {
    var arguments = arguments
    guard let options = try? GlobalOptions.Values(takingFrom: &arguments) else { return nil }
    guard let name = arguments.first, let command = subcommand(named: name) else { return nil }
    return GlobalOptions.$taken.withValue(options) {
      GivenNames.$all.withValue(GivenNames.names(in: arguments)) { parse(command, arguments) }
    }
  }

  /// Returns the subcommand with a name or an alias.
  private static func subcommand(named name: String) -> (any ToDoCommand.Type)? {
    let command = configuration.subcommands.first {
      $0.configuration.commandName == name || $0.configuration.aliases.contains(name)
    }
    return command as? any ToDoCommand.Type
  }

  private static func parse<Command: ToDoCommand>(_ command: Command.Type, _ arguments: [String]) -> (any ToDoCommand)?
  {
    try? OnlySubcommand<Command>.parseAsRoot(arguments) as? Command
  }
}

/// A root command with one subcommand.
private struct OnlySubcommand<Command: ToDoCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    // ArgumentParser does not search the arguments of a command with a super-command for '--generate-completion-script'.
    CommandConfiguration(commandName: "todo", _superCommandName: "todo", subcommands: [Command.self])
  }
}
