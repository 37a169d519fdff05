import ArgumentParser
import ToDoModel

/// The server program.
@main
struct TodoServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-server",
    abstract: "Offers a to-do list to clients over ttrpc.",
    version: ServiceInfo.currentVersion,
    subcommands: [Serve.self],
    defaultSubcommand: Serve.self)
}
