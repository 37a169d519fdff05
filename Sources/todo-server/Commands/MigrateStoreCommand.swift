import ArgumentParser
import ToDoModel
import ToDoStores
import ToDoSupport

#if PostgreSQL
import ToDoPostgreSQLStore
#endif

/// `todo-server migrate-store`
struct MigrateStoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-store", abstract: "Copy all lists, users and tokens to another store.",
    discussion: """
      Copies a database file to an empty PostgreSQL database, or a PostgreSQL database to a new file. The copy has the \
      same items, numbers, revisions, history, users and tokens. Stop the servers first. The source is not changed. The \
      copy is compared with the source before servers can open it. If the command is interrupted, run it again to \
      continue. Then start the servers on the new store. Clients detect the replacement and reload their lists.
      """)

  @Option(help: ArgumentHelp("The store to copy: sqlite:PATH or postgresql://HOST/DATABASE.", valueName: "store"))
  var from: String

  @Option(help: ArgumentHelp("The new store: postgresql://HOST/DATABASE or sqlite:PATH.", valueName: "store"))
  var to: String

  func run() throws {
    #if PostgreSQL
    do {
      let progress = MoveProgress()
      let result = try copy(progress)
      progress.clear()
      Self.show(result)
    } catch let error where Self.isCorrectable(error) {
      printError("Error: \(error)".escapingControls(keepingLines: true))
      throw ExitCode(.failure)
    }
    #else
    printError("Error: this build has no PostgreSQL; build with the trait PostgreSQL")
    throw ExitCode(.failure)
    #endif
  }

  #if PostgreSQL
  private func copy(_ progress: MoveProgress) throws -> StoreCopy.Result {
    switch (try StoreLocation(option: from, of: "from"), try StoreLocation(option: to, of: "to")) {
    case (.sqlite(let path), .postgreSQL(let uri)):
      return try StoreCopy.run(fromSQLite: path, toPostgreSQL: uri, report: progress.show)
    case (.postgreSQL(let uri), .sqlite(let path)):
      return try StoreCopy.run(fromPostgreSQL: uri, toSQLite: path, report: progress.show)
    case (.sqlite, .sqlite):
      throw SettingError(name: "to", value: "", reason: "is a file like the source; use 'todo-server backup'")
    case (.postgreSQL, .postgreSQL):
      let reason = "is a PostgreSQL database like the source; use pg_dump and pg_restore"
      throw SettingError(name: "to", value: "postgresql://...", reason: reason)
    case (.memory, _):
      throw SettingError(name: "from", value: "memory:", reason: "cannot be copied; use \(StoreLocation.databases)")
    case (_, .memory):
      throw SettingError(name: "to", value: "memory:", reason: "retains no data; use \(StoreLocation.databases)")
    }
  }

  private static func show(_ result: StoreCopy.Result) {
    print(
      """
      Copied and verified \(result.listCount) lists with \(result.itemCount) items, \(result.deletedCount) deleted \
      items, \(result.changeCount) changes and \(result.lookupCount) pending lookups, and \(result.userCount) users \
      with \(result.tokenCount) tokens.
      """)
  }

  private static func isCorrectable(_ error: any Error) -> Bool {
    error is SettingError || error is StoreCopyError || error is DatabaseMaintenanceError || isStoreError(error)
  }
  #endif
}

#if PostgreSQL
/// Shows a copy's progress on one terminal line, or else a line for each list.
private struct MoveProgress {
  private let isTerminal = ThisProcess.errorIsTerminal

  func show(_ progress: StoreCopy.Progress) {
    switch progress {
    case .copying(let list, let count):
      replaceLine("List \(list.number) of \(list.count): \(list.name), \(count) records")
    case .copied(let list, let summary, let isResumed):
      let state = isResumed ? "was copied before" : "copied"
      let text = "\(list.name) (\(list.number) of \(list.count)) \(state): \(summary.itemCount) items"
      if isTerminal { replaceLine(text) } else { printError(text.escapingControls()) }
    case .verifying(let list): replaceLine("Verifying list \(list.number) of \(list.count): \(list.name)")
    }
  }

  func clear() { replaceLine("") }

  private func replaceLine(_ text: String) {
    if isTerminal { printError("\r\u{1B}[K" + text.escapingControls(), terminator: "") }
  }
}
#endif
