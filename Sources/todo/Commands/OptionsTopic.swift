import ArgumentParser
import ToDoModel

/// `todo help options`: a topic of the help that is not a command.
struct OptionsTopic: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "options", abstract: "The options of every command.", usage: "todo [<subcommand>] [<options>]",
    discussion: """
      These options can precede or follow the name of the command. An environment variable after 'default' sets an option \
      that is not specified.
      """,
    version: ServiceInfo.currentVersion)

  /// Described here, but taken out of the arguments before they are parsed.
  @Option(name: [.long, .customShort("L")], help: .list) var list: String?

  @OptionGroup var global: GlobalOptions
}
