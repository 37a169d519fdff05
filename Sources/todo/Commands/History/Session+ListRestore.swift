import ToDoModel
import ToDoRPC
import ToDoStores
import ToDoSupport
import ToDoText

extension Session {
  /// Replaces all lists on this machine with a backup, after a confirmation.
  ///
  /// - Throws: `Failure` if a server is selected, the backup is missing or damaged, or the session cannot prompt;
  ///   `DatabaseMaintenanceError`, `SQLiteStoreError`, `PrivateFileError`. The lists are unchanged then.
  func restoreList(from backup: String) throws {
    guard case .embedded(let path, _) = try selection() else {
      throw Failure.usage("cannot restore the lists of a server; run 'todo-server restore' on the server")
    }
    for path in [PrivateFile.directory(of: path), path] { try PrivateFile.checkOwner(of: path) }
    let count = try itemCount(ofBackup: backup)
    let name = "\(backup.escapingControls()), which has \(count) \(count == 1 ? "item" : "items")"
    guard try confirm("Replace all lists on this machine with \(name)?") else {
      printNotice("Nothing was restored.")
      return
    }
    let result = try DatabaseRestore(path: path).run(from: backup, at: clock.now())
    if options.json {
      let members: [JSONValue.Member] = [
        .init("path", .string(path)), .init("previousPath", .optional(result.previousPath)),
      ]
      return try print(JSONValue.object(members).indentedText)
    }
    guard !options.quiet else { return try printLines(result.previousPath.map { [$0] } ?? []) }
    try print("Restored the lists from \(name).")
    if let previous = result.previousPath { try print("The former lists are now \(previous.escapingControls()).") }
  }

  /// Returns the number of items in a backup, which is not changed.
  private func itemCount(ofBackup path: String) throws -> Int {
    let report: DatabaseCheck.Report
    do { report = try DatabaseCheck(path: path).run() } catch SQLiteStoreError.missing {
      throw Failure(code: .notFound, reason: "NO_BACKUP", message: "there is no backup at \(path.escapingControls())")
    }
    guard report.problems.isEmpty else {
      throw DatabaseMaintenanceError.failedCheck(path: path, problems: report.problems)
    }
    return report.itemCount
  }
}
