public import ToDoModel
import ToDoSQLite

/// A directory with a database's backups. Each is a file named after the database and the time. The latest are retained.
///
/// Other files in the directory are not changed, nor are backups of another database with the same name, such as that of another
/// computer, or of one that was lost.
public struct BackupFolder: Sendable {
  private let directory: String
  private let source: String
  private let stem: String

  /// Returns whether `path` names a directory for backups: it is a directory, or ends in a slash.
  public static func isFolder(_ path: String) -> Bool { path.hasSuffix("/") || FileSystem.isDirectory(path) }

  /// - Parameters:
  ///   - path: the directory. The first backup creates it, private to the user.
  ///   - source: the database.
  public init(path: String, source: String) {
    directory = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.source = source
    let name = source.split(separator: "/").last.map(String.init) ?? source
    stem = name.hasSuffix(".sqlite") ? String(name.dropLast(7)) : name
  }

  /// Writes a backup, then removes all but the latest. This one stays even if others have later times, as after the clock was
  /// wrong.
  ///
  /// - Parameters:
  ///   - time: the time in the file's name.
  ///   - count: the number of retained backups, this one included; `nil`: all.
  /// - Returns: the path of the backup.
  /// - Throws: like `DatabaseBackup.write`. No backup is removed unless the new one is complete.
  public func write(
    at time: Timestamp, keeping count: Int?, report: (DatabaseBackup.Progress) throws -> Void = { _ in }
  ) throws -> String {
    do { try FileSystem.makePrivateDirectory(directory) } catch {
      throw DatabaseMaintenanceError.fileFailed(path: directory, reason: error.reason)
    }
    let path = "\(directory)/\(stem)-\(Self.text(of: time)).sqlite"
    try DatabaseBackup(path: source).write(
      to: path, partialPath: "\(directory)/\(stem).part", report: report)
    if let count { try removeAllBut(count, including: path) }
    return path
  }

  private func removeAllBut(_ count: Int, including latest: String) throws {
    let names: [String]
    do { names = try FileSystem.names(in: directory) } catch {
      throw DatabaseMaintenanceError.fileFailed(path: directory, reason: error.reason)
    }
    // Without a key, the database is so old that its backups cannot be told from those of others.
    guard let key = DatabaseBackup.key(at: latest) else { return }
    let others = names.filter(isNameOfBackup).sorted().map { "\(directory)/\($0)" }.filter { $0 != latest }
    let own = others.filter { DatabaseBackup.key(at: $0) == key }
    for path in own.dropLast(max(count, 1) - 1) { FileSystem.removeIfPresent(path) }
  }

  /// Returns whether `write` creates such a name for a database with this name.
  private func isNameOfBackup(_ name: String) -> Bool {
    guard name.hasPrefix(stem + "-"), name.hasSuffix(".sqlite") else { return false }
    let time = name.dropFirst(stem.count + 1).dropLast(7)
    let pattern = "00000000T000000Z"
    return time.count == pattern.count
      && zip(time, pattern).allSatisfy { $1 == "0" ? ("0"..."9").contains($0) : $0 == $1 }
  }

  /// Returns the form of a time in file names: `20260429T081542Z`.
  static func text(of time: Timestamp) -> String {
    let text = time.description.prefix { $0 != "." && $0 != "Z" }
    return text.filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
