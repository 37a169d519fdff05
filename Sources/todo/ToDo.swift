import ArgumentParser
import ToDoModel

/// The program `todo`: its subcommands, of which `list` is the one without a name.
struct ToDo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo",
    abstract: "Keep a to-do list, on this machine or on a server.",
    usage: "todo [<subcommand>] [<options>]",
    discussion: """
      Without a subcommand, lists the items.

      An ID is the beginning of an item's id, as far as no other item's id begins with it: \
      what 'todo list' shows before each title.

      Exit status:
        0    done
        1    failed in a way that is not listed here
        2    wrong usage, or an item that breaks rules
        3    no such item or place, or no coordinates for an address
        4    conflict, or a duplicate
        5    the server or the store was not reached, or answered too late
        6    not allowed
        130  interrupted
      """,
    version: ServiceInfo.currentVersion,
    subcommands: [
      AddCommand.self, ListCommand.self, WatchCommand.self, ShowCommand.self, CheckCommand.self, UncheckCommand.self,
      EditCommand.self, DeleteCommand.self, NearCommand.self, MapCommand.self, GeocodeCommand.self, StatusCommand.self,
      BackupCommand.self, LoginCommand.self, LogoutCommand.self,
    ],
    defaultSubcommand: ListCommand.self)

  @OptionGroup var global: GlobalOptions
}
