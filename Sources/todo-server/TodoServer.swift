import ArgumentParser
import ToDoModel

/// The server program.
@main
struct TodoServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-server",
    abstract: "Offers to-do lists to clients over ttrpc.",
    version: ServiceInfo.currentVersion,
    subcommands: [
      Serve.self, UserCommand.self, TokenCommand.self, MigrateCommand.self, BackupCommand.self, RestoreCommand.self,
      CheckCommand.self,
    ],
    defaultSubcommand: Serve.self)
}
