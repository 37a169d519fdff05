import ArgumentParser
import ToDoModel
import ToDoStores

/// `todo-server restore`
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the database with a backup.",
    discussion: """
      Fails while a server or another program has the database open. The backup is verified first and is not changed. The \
      previous database is saved next to the new one, as items.sqlite.replaced-TIME. Clients detect the replacement and \
      reload their lists.

      If the previous database has had users, or can't be read, clients need credentials afterwards, even if the backup is \
      from before the first user.
      """)

  @Argument(help: "The backup file.")
  var file: String

  @Flag(
    help: """
      Let the backup alone decide whether clients need credentials. With a backup from before the first user, everyone who \
      can reach the server can then read and change the list.
      """)
  var allowAnonymous = false

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    try await database.withDatabase { path in
      let result = try DatabaseRestore(path: path).run(
        from: file, at: SystemWallClock().now(), allowsAnonymous: allowAnonymous)
      print("Restored \(path) from \(file).")
      if let previous = result.previousPath { print("The previous database is \(previous).") }
      switch result.requirement {
      case .hadUsers: print("Clients need credentials, because the previous database has had users.")
      case .isUnreadable:
        print(
          """
          Clients need credentials, because the previous database can't be read and may have had users. If it never had \
          any, restore again with '--allow-anonymous'.
          """)
      case nil: break
      }
    }
  }
}
