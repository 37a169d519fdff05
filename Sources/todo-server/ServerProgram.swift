import ArgumentParser
import ToDoModel

/// The entry point and root command, with `serve` as the default subcommand.
@main
struct ServerProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-server",
    abstract: "Serve to-do lists over ttrpc and gRPC, and administer their database.",
    version: ServiceInfo.currentVersion,
    subcommands: [
      ServeCommand.self, UserCommand.self, TokenCommand.self, MigrateCommand.self, MigrateStoreCommand.self,
      BackupCommand.self, RestoreCommand.self, CheckCommand.self,
    ],
    defaultSubcommand: ServeCommand.self)
}
