import ToDoModel
import ToDoSQLite

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
