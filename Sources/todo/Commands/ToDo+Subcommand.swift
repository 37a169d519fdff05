import ArgumentParser

extension ToDo {
  /// Parses a subcommand without the other commands, which takes a third of the time that parsing all of them takes.
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
    (try? Alone<Command>.parseAsRoot(Array(arguments.dropFirst())) as? Alone<Command>)?.command
  }
}

/// A subcommand as the root: ArgumentParser prepares the options of a command once more if it is below another.
private struct Alone<Command: ToDoCommand>: ParsableCommand, CustomReflectable {
  static var configuration: CommandConfiguration {
    // ArgumentParser does not search the arguments of a command with a super-command for '--generate-completion-script'. Help
    // is an error here, and the root shows it.
    CommandConfiguration(commandName: "todo", _superCommandName: "todo", helpNames: [])
  }

  private(set) var command: Command

  init() { command = Command() }

  init(from decoder: any Decoder) throws { command = try Command(from: decoder) }

  mutating func validate() throws { try command.validate() }

  /// ArgumentParser finds declarations by reflection. It finds those of the command here, without groups that declare nothing,
  /// each of which costs as much as an option.
  var customMirror: Mirror {
    let declarations = Mirror(reflecting: command).children.filter { child in
      guard let label = child.label, ConditionalGroups.areNamed(label) else { return true }
      if label == ConditionalGroups.global { return !GlobalOptions.isAbsent }
      return (type(of: child.value) as? any ConditionalGroup.Type)?.isAbsent != true
    }
    return Mirror(self, children: Array(declarations), displayStyle: .struct)
  }
}

/// The names of the properties of commands that are groups which may declare nothing.
///
/// They are compared before the types, because the first cast of each type to a protocol makes Swift's runtime go through all
/// conformances of the program.
enum ConditionalGroups {
  /// The stored property of a command's global options.
  static let global = "_global"

  /// Returns whether a stored property may be such a group.
  static func areNamed(_ label: String) -> Bool { label == global || label.hasSuffix("Group") }
}

extension OptionGroup: ConditionalGroup where Value: ConditionalGroup {
  static var isAbsent: Bool { Value.isAbsent }
}
