import ArgumentParser
import ToDoModel
import ToDoStores

/// `todo-server restore`
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the database by a backup.",
    discussion: """
      Fails while a server or another program has the database open. The backup is checked first and stays as it is. The \
      former database is kept next to the new one, as items.sqlite.replaced-TIME. Clients notice the replacement and \
      reload their lists.
      """)

  @Argument(help: "The backup.")
  var file: String

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    try await database.withDatabase { path in
      let kept = try DatabaseRestore(path: path).run(from: file, at: SystemWallClock().now())
      print("Restored \(path) from \(file).")
      if let kept { print("The former database is \(kept).") }
    }
  }
}
