import ToDoModel
import ToDoSQLite

/// The reason why a database could not be opened. The database is unchanged.
@nonexhaustive
public enum SQLiteStoreError: Error, Equatable, Sendable {
  /// The directory or the file cannot be created, opened or written.
  case cannotOpen(path: String, reason: String)
  /// The file is on a read-only file system, and cannot be written.
  case readOnly(path: String)
  /// The user has no permission to write `obstacle`, which is the file or its directory.
  case notWritable(path: String, obstacle: String)
  /// The file system has no space for the log of the database.
  case full(path: String)
  /// The file does not exist, and the operation does not create it.
  case missing(path: String)
  /// The file has 0 bytes. This program never leaves such a file, so a list may have been lost.
  case empty(path: String)
  /// The file does not exist although `remnant`, its log or its reserve, does, so a list has been lost.
  case lost(path: String, remnant: String)
  /// The file is damaged, or is not an SQLite database.
  case notADatabase(path: String)
  /// The file is a database of another program.
  case notAToDoDatabase(path: String)
  /// A newer version of this program made the database: its schema has version `found`, and this
  /// program supports versions up to `supported`.
  case newerSchema(path: String, found: Int, supported: Int)
  /// An older version of this program made the database, and the operation does not migrate it.
  case olderSchema(path: String, found: Int, supported: Int)
  /// Another process held the lock of the database until the timeout.
  case locked(path: String)
  /// The file was removed or renamed while the store had it open.
  case removed(path: String)
  /// Another file got the path while the store had the database open. `log` is the new path of the open file's log; `nil` if
  /// the log was not renamed.
  case replaced(path: String, log: String?)
  /// A migration from one version of the schema to another failed. The database is unchanged.
  case migrationFailed(path: String, from: Int, to: Int, reason: String)
}

extension SQLiteStoreError {
  /// The error without the path, for callers that must not see the path.
  var reason: String {
    switch self {
    case .cannotOpen(_, let reason): "the database cannot be opened: \(reason)"
    case .readOnly: "the file system is read-only"
    case .notWritable: "the database cannot be written"
    case .full: "the disk is full"
    case .missing: "there is no database"
    case .empty: "the database is empty"
    case .lost: "the database is missing"
    case .notADatabase: "the database is damaged"
    case .notAToDoDatabase: "the database belongs to another program"
    case .newerSchema: "the database was made by a newer version"
    case .olderSchema: "the database was made by an older version"
    case .locked: "another process has the database locked"
    case .removed, .replaced: "the database file was removed or replaced"
    case .migrationFailed: "the migration of the database failed"
    }
  }
}

extension SQLiteStoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "cannot open the database \(path): \(reason)"
    case .readOnly(let path): "\(path) cannot be written: its file system is read-only"
    case .notWritable(let path, let obstacle):
      "\(path) cannot be written, because you have no permission to write \(obstacle); "
        + "run 'chmod u+w \(obstacle)' if it belongs to you"
    case .full(let path): "the disk is full: there is no space to open \(path); free some space, and try again"
    case .missing(let path): "there is no database at \(path); check the path, or start the server once to create it"
    case .empty(let path):
      "\(path) has 0 bytes, so the list that it contained is lost; restore a backup, or delete \(path) "
        + "and \(path).reserve to begin a new list"
    case .lost(let path, let remnant):
      "\(path) is missing, but \(remnant) shows that there was a list; move the file back or restore a backup, "
        + "or delete \(remnant) to begin a new list"
    case .notADatabase(let path): "\(path) is damaged, or not an SQLite database"
    case .notAToDoDatabase(let path): "\(path) is the database of another program"
    case .newerSchema(let path, let found, let supported):
      "\(path) was made by a newer version of this program: its schema has version \(found), "
        + "and this program supports versions up to \(supported)"
    case .olderSchema(let path, let found, let supported):
      "\(path) has schema version \(found), and this program needs version \(supported); "
        + "run 'todo-server migrate', or start this version of the server"
    case .locked(let path): "another process has the database \(path) locked"
    case .removed(let path):
      "the database \(path) was removed or renamed while it was open, and the latest changes may be lost; "
        + "move the file back or restore a backup with 'todo-server restore', and start the server again"
    case .replaced(let path, let log):
      "the database \(path) was replaced by another file while it was open, and the latest changes are not in that file; "
        + "stop the server before you replace its database"
        + (log.map { "; the log of the former file is now \($0)" } ?? "")
    case .migrationFailed(let path, let from, let to, let reason):
      "cannot bring the database \(path) from schema version \(from) to \(to): \(reason)"
    }
  }
}

extension ToDoError {
  /// Maps an error of the database to the error that callers receive.
  init(_ failure: any Error) {
    self =
      switch failure {
      case let error as ToDoError: error
      case let error as SQLiteError where error.isDiskFull: .storeFull
      case let error as SQLiteError where error.isSyncFailure: .syncFailed
      case let error as SQLiteError: .storeUnavailable(detail: error.extendedCode.meaning)
      case let error as SQLiteStoreError: .storeUnavailable(detail: error.reason)
      default: .storeUnavailable(detail: "\(type(of: failure))")
      }
  }

  /// The disk did not confirm a commit. The commit may or may not be on disk, and later writes may be lost as well.
  static let syncFailed = ToDoError.storeUnavailable(
    detail: "the disk failed to sync a write; the change may or may not have been saved")
}

extension SQLiteError {
  /// Whether the disk is full. SQLite reports an index of the log that cannot grow as another error.
  var isDiskFull: Bool { code == .full || extendedCode == .sharedMemorySizeFailed }

  /// Whether a sync of a file or a directory failed.
  var isSyncFailure: Bool {
    [.fileSyncFailed, .directorySyncFailed].contains(extendedCode)
  }
}
