import ArgumentParser
import ToDoModel
import ToDoStores

/// `todo-server backup`
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the database, also while the server runs.",
    discussion: """
      The copy is of one moment, private, checked, and appears under its name only when it is complete. The command \
      pauses often, so that the server stays fast. In a directory, a backup is named after the database and the time, \
      as items-20260429T081500Z.sqlite.
      """)

  @Option(help: ArgumentHelp("Where to write the backup: a file, or a directory.", valueName: "file|dir"))
  var to: String

  @Option(help: "Write a backup now and then each time that this has passed: 30m, 6h, 1d. Needs a directory.")
  var every: String?

  @Option(help: "Keep this number of backups in the directory and remove earlier ones. (default: all)")
  var keep: Int?

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    if let every, pause == nil || pause == .zero { throw ValidationError("every: “\(every)” is not a time such as 6h") }
    if let keep, keep < 1 { throw ValidationError("keep: “\(keep)” is not a number of backups from 1") }
    guard BackupFolder.isFolder(to) || (every == nil && keep == nil) else {
      throw ValidationError("'--every' and '--keep' need a directory: end the name in '/' to create it")
    }
  }

  private var pause: Duration? { every.flatMap(Duration.init(text:)) }

  func run() async throws {
    ServerProcess.lowerPriority()
    try await database.withDatabase { path in
      guard let pause else { return try write(path) }
      while true {
        // The next one may succeed.
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

/// The progress of a backup, on a line of a terminal.
private struct ProgressLine {
  private let isShown = ServerProcess.errorIsTerminal

  func show(_ progress: DatabaseBackup.Progress) {
    guard isShown else { return }
    printError("\r\u{1B}[K" + (progress.isComplete ? "Checking the copy" : "Copied \(progress)"), terminator: "")
  }

  func clear() {
    if isShown { printError("\r\u{1B}[K", terminator: "") }
  }
}
