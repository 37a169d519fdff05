import ArgumentParser
import ToDoModel
import ToDoStores

struct BackupCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the list on this machine to a file.",
    usage: "todo backup --to <file|dir> [<options>]",
    discussion: """
      The copy is of one moment, private and checked, and other programs can use the list meanwhile. In a directory, \
      a copy is named after the time. 'todo-server restore' puts a copy in the place of the list. \
      The lists of a server are backed up there, with 'todo-server backup'.
      """)

  @Option(help: ArgumentHelp("Where to write the copy: a file, or a directory.", valueName: "file|dir"))
  var to: String

  @Option(
    help: ArgumentHelp("Keep this number of copies in the directory and remove earlier ones.", valueName: "number"))
  var keep: Int?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let keep, keep < 1 { throw ValidationError("'--keep' needs a number from 1") }
    guard keep == nil || BackupFolder.isFolder(to) else { throw ValidationError("'--keep' needs a directory") }
  }

  func run(in session: Session) async throws {
    let selection = try ServiceSelection(
      server: session.options.server, geocoder: session.options.geocoder, environment: session.context.environment)
    guard case .embedded(let path, _) = selection else {
      throw Failure.usage("only the list on this machine can be copied; on the server, run 'todo-server backup'")
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
    context.terminal.error("\r\u{1B}[K" + (progress.isComplete ? "Checking the copy" : "Copied \(progress)"))
  }

  fileprivate func clearProgress() {
    if showsProgress { context.terminal.error("\r\u{1B}[K") }
  }
}
