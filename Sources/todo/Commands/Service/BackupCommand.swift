import ArgumentParser
import ToDoModel
import ToDoStores
import ToDoText

/// `todo backup`
struct BackupCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Back up all lists on this machine to a file.",
    usage: "todo backup --to <file|dir> [<options>]",
    discussion: """
      Other programs can use the lists while the backup runs. The backup is a consistent snapshot, readable only by its \
      owner, and verified after it is written. In a directory, its name contains the time. A file that exists is replaced \
      only if it is an earlier backup of the same lists. 'todo restore --from' replaces the lists with a backup. To back up \
      the lists of a server, run 'todo-server backup' there.
      """)

  @Option(help: ArgumentHelp("The file to write, or a directory for backups.", valueName: "file|dir"))
  var to: String

  @Option(
    help: ArgumentHelp(
      "The number of backups to retain in the directory; older ones are deleted. (default: all)", valueName: "number"))
  var keep: Int?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let keep, keep < 1 { throw ValidationError("'--keep' must be at least 1") }
    guard keep == nil || BackupFolder.isFolder(to) else {
      throw ValidationError("'--keep' requires a directory; end the path in '/' to create one")
    }
  }

  func run(in session: Session) async throws {
    try session.rejectListOption("does not apply to backups, which have all lists; omit the option")
    let selection = try ServiceSelection(
      server: session.options.server, geocoder: session.options.geocoder, environment: session.context.environment)
    guard case .embedded(let path, _) = selection else {
      throw Failure.usage("cannot back up the lists of a server; run 'todo-server backup' on the server")
    }
    var destination = to
    if BackupFolder.isFolder(to) {
      destination = try BackupFolder(path: to, source: path).write(
        at: session.clock.now(), keeping: keep, report: session.showProgress)
    } else {
      try DatabaseBackup(path: path).write(to: to, report: session.showProgress)
    }
    session.clearProgress()
    if session.options.json {
      try session.print(JSONValue.object([.init("path", .string(destination))]).indentedText)
    } else {
      try session.print(session.options.quiet ? destination : "Wrote \(destination.escapingControls()).")
    }
  }
}

extension Session {
  private var showsProgress: Bool { context.terminal.errorIsTerminal && !options.json && !options.quiet }

  fileprivate func showProgress(_ progress: DatabaseBackup.Progress) {
    guard showsProgress else { return }
    context.terminal.error("\r\u{1B}[K" + (progress.isComplete ? "Verifying the backup" : "Copied \(progress)"))
  }

  fileprivate func clearProgress() {
    if showsProgress { context.terminal.error("\r\u{1B}[K") }
  }
}
