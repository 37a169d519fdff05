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
      """)

  @Argument(help: "The backup file.")
  var file: String

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    try await database.withDatabase { path in
      let previous = try DatabaseRestore(path: path).run(from: file, at: SystemWallClock().now())
      print("Restored \(path) from \(file).")
      if let previous { print("The previous database is \(previous).") }
    }
  }
}
