import ArgumentParser
import ToDoStores

#if PostgreSQL
import ToDoPostgreSQLStore
#endif

/// `todo-server migrate`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Migrate a database to the schema of this version.",
    discussion: """
      Stop the servers of older versions first: they reject every write to a migrated database. A copy of the old file is \
      saved next to a database file, as PATH.vN.bak. 'serve' also migrates the database when it starts. No other command does.
      """)

  @OptionGroup var accounts: AccountOptions

  func run() throws {
    let (name, current, previous) = try migrate()
    if previous == current {
      print("\(name) already has schema version \(current).")
    } else {
      print("Migrated \(name) from schema version \(previous) to \(current).")
    }
  }

  private func migrate() throws -> (name: String, current: Int, previous: Int) {
    do {
      switch try StoreLocation.ofCommand(accounts.store) {
      case .memory:
        throw SettingError(name: "store", value: "memory:", reason: "has no schema; use sqlite:PATH")
      case .sqlite(let path):
        return (path, SQLiteSchema.currentVersion, try SQLiteSchema.migrate(path: path))
      case .postgreSQL(let uri):
        #if PostgreSQL
        return ("The database", PostgreSQLSchema.currentVersion, try PostgreSQLSchema.migrate(uri: uri))
        #else
        preconditionFailure("\(uri) is not a valid store of this build")
        #endif
      }
    } catch let error where error is SettingError || isStoreError(error) {
      throw ExitCode(reporting: error)
    }
  }
}
