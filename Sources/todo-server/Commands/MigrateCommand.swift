import ArgumentParser
import ToDoStores

/// `todo-server migrate`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Migrate a database to the schema of this version.",
    discussion: """
      Stop the servers of older versions first: they reject every write to a migrated database. A copy of the old file is \
      saved next to the database, as PATH.vN.bak. 'serve' also migrates the database when it starts. No other command does.
      """)

  @OptionGroup var accounts: AccountOptions

  func run() throws {
    let (path, current) = (try accounts.path(), SQLiteSchema.currentVersion)
    let previous: Int
    do { previous = try SQLiteSchema.migrate(path: path) } catch let error as SQLiteStoreError {
      throw ValidationError("\(error)")
    }
    if previous == current {
      print("\(path) already has schema version \(current).")
    } else {
      print("Migrated \(path) from schema version \(previous) to \(current).")
    }
  }
}
