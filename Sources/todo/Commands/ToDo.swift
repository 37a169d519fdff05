import ArgumentParser
import ToDoModel

/// The root command, with `list` as the default subcommand.
struct ToDo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo",
    abstract: "Manage a to-do list on this machine or on a server.",
    usage: "todo [<subcommand>] [<options>]",
    discussion: """
      Without a subcommand, shows what is due on a terminal, as 'today' does, and lists the items otherwise.

      <item> is the number before an item's title, a range such as 5-8, an ID or a unique prefix of one, or whole \
      words of a title.

      Exit status:
        0    success
        1    any failure not listed here
        2    invalid usage, or an item that breaks a rule
        3    unknown item or place, or an address without coordinates
        4    conflict or duplicate
        5    server or store unreachable, or timeout
        6    permission denied
        130  interrupted
      """,
    version: ServiceInfo.currentVersion,
    subcommands: [
      AddCommand.self, TodayCommand.self, ListCommand.self, UICommand.self, WatchCommand.self, ShowCommand.self,
      CheckCommand.self, UncheckCommand.self,
      EditCommand.self, RemindCommand.self, StepCommand.self, SnoozeCommand.self, SkipCommand.self, DeleteCommand.self,
      TrashCommand.self,
      RestoreCommand.self,
      UndoCommand.self, RedoCommand.self,
      LogCommand.self, TagsCommand.self, NearCommand.self, HereCommand.self, MapCommand.self, GeocodeCommand.self,
      StatusCommand.self,
      DoctorCommand.self, BackupCommand.self, ImportCommand.self, LoginCommand.self, LogoutCommand.self,
      ListsCommand.self, UseCommand.self, MoveCommand.self, ShareCommand.self, UnshareCommand.self,
      NotifyCommand.self, FeedCommand.self,
      CompletionCommand.self,
    ],
    defaultSubcommand: ListCommand.self)

  /// Described here, but taken out of the arguments before they are parsed.
  @Option(name: [.long, .customShort("L")], help: .list) var list: String?

  @OptionGroup var global: GlobalOptions
}
