import ArgumentParser
import ToDoModel
import ToDoSupport

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

extension ExitCode {
  /// Creates the error that makes ArgumentParser exit with a status, without printing a message.
  init(_ status: ExitStatus) {
    self.init(status.rawValue)
  }
}
