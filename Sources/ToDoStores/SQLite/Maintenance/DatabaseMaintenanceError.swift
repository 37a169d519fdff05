/// The reason why a backup, a restore, a check or a repair did not happen.
@nonexhaustive
public enum DatabaseMaintenanceError: Error, Equatable, Sendable {
  /// A file cannot be read or written. The database is unchanged.
  case fileFailed(path: String, reason: String)
  /// Another process has the database open; `process` is its ID, if the system reveals it.
  case inUse(path: String, process: Int32?)
  /// Another backup is writing to the same destination.
  case destinationBusy(path: String)
  /// The destination of the backup is the database itself.
  case destinationIsSource(path: String)
  /// The backup would replace a file that is not an earlier backup of this database. The file is unchanged.
  case notABackup(path: String, reason: String)
  /// A file failed its check and was not used.
  case failedCheck(path: String, problems: [DatabaseProblem])
}

extension DatabaseMaintenanceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .fileFailed(let path, let reason): "\(path): \(reason)"
    case .inUse(let path, let process):
      "\(path) is in use by \(process.map { "process \($0)" } ?? "another process"); end it first"
    case .destinationBusy(let path): "another backup is being written to \(path)"
    case .destinationIsSource(let path): "\(path) is the database itself; choose another destination"
    case .notABackup(let path, let reason):
      "\(path) exists and is no backup of this list: \(reason); choose another file, or move this one away"
    case .failedCheck(let path, let problems):
      (["\(path) failed its check and was not used:"] + problems.map(\.description)).joined(separator: "\n  ")
    }
  }
}

extension PartialFile {
  /// Checks that an incomplete copy would not empty the file that is copied.
  ///
  /// - Throws: `DatabaseMaintenanceError`.
  static func checkIsNotSource(_ source: String, _ path: String) throws {
    let identity = FileSystem.identity(of: DatabaseFile(path: source).plainPath)
    guard identity != nil, identity == FileSystem.identity(of: path) else { return }
    throw DatabaseMaintenanceError.fileFailed(
      path: source, reason: "has the name that an incomplete copy gets; rename it first")
  }
}
