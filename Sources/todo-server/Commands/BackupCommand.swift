import ArgumentParser
import ToDoModel
import ToDoStores

/// `todo-server backup`
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Back up the database. The server may be running.",
    discussion: """
      The backup is a consistent snapshot, readable only by its owner, and verified after it is written. It gets its name \
      only when it is complete. A file that exists is replaced only if it is an earlier backup of the same database. The \
      command pauses often, so that the server stays responsive. In a directory, a backup is named after the database and the time, such as items-20260429T081500Z.sqlite.
      """)

  @Option(help: ArgumentHelp("The file to write, or a directory for backups.", valueName: "file|dir"))
  var to: String

  @Option(
    help: ArgumentHelp(
      "The interval at which to write further backups, such as 30m, 6h or 1d. Requires a directory. (default: one backup)",
      valueName: "time"))
  var every: String?

  @Option(
    help: ArgumentHelp(
      "The number of backups to retain in the directory; older ones are deleted. (default: all)", valueName: "number"))
  var keep: Int?

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    if let every, pause == nil || pause == .zero {
      throw ValidationError("every: '\(every)' is not a valid duration; use a form such as 6h")
    }
    if let keep, keep < 1 { throw ValidationError("keep: '\(keep)' is not a valid number; use 1 or more") }
    guard BackupFolder.isFolder(to) || (every == nil && keep == nil) else {
      throw ValidationError("'--every' and '--keep' require a directory; end the path in '/' to create one")
    }
  }

  private var pause: Duration? { every.flatMap(Duration.init(text:)) }

  func run() async throws {
    ThisProcess.lowerPriority()
    try await database.withDatabase { path in
      guard let pause else { return try write(path) }
      while true {
        // The next backup may succeed.
        do { try write(path) } catch { printError("Error: \(error)") }
        try await Task.sleep(for: pause)
      }
    }
  }

  private func write(_ path: String) throws {
    let line = ProgressLine()
    var destination = to
    if BackupFolder.isFolder(to) {
      destination = try BackupFolder(path: to, source: path).write(
        at: SystemWallClock().now(), keeping: keep, report: line.show)
    } else {
      try DatabaseBackup(path: path).write(to: to, report: line.show)
    }
    line.clear()
    print("Wrote \(destination).")
    flushStandardOutput()
  }
}

/// Shows the progress of a backup on a terminal line.
private struct ProgressLine {
  private let isShown = ThisProcess.errorIsTerminal

  func show(_ progress: DatabaseBackup.Progress) {
    guard isShown else { return }
    printError("\r\u{1B}[K" + (progress.isComplete ? "Verifying the backup" : "Copied \(progress)"), terminator: "")
  }

  func clear() {
    if isShown { printError("\r\u{1B}[K", terminator: "") }
  }
}
