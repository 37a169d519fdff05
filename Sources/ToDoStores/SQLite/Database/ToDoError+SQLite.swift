import GRDB
import ToDoModel

extension ToDoError {
  /// What a failure of the database means to callers.
  init(_ failure: any Error) {
    self =
      switch failure {
      case let error as ToDoError: error
      case let error as DatabaseError where error.resultCode == .SQLITE_FULL: .storeFull
      case let error as DatabaseError where error.isSyncFailure: .syncFailed
      case let error as DatabaseError: .storeUnavailable(detail: error.extendedResultCode.meaning)
      case let error as SQLiteStoreError: .storeUnavailable(detail: error.reason)
      default: .storeUnavailable(detail: "\(type(of: failure))")
      }
  }

  /// The disk did not confirm a commit: it is there or not, and what is written from now on may be lost as well.
  static let syncFailed = ToDoError.storeUnavailable(
    detail: "the disk failed to keep what was written; the change may have been made all the same")

  /// The owner has too many waiting reads or writes. A second suffices to serve most of a full queue.
  static let tooManyWaiting = ToDoError.listBusy(retryAfter: .seconds(1))

  static let schemaChanged = ToDoError.storeUnavailable(
    detail: "another version of this program has migrated the database")

  static let storeClosed = ToDoError.storeUnavailable(detail: "the store is closed")
}

extension DatabaseError {
  var isSyncFailure: Bool {
    [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(extendedResultCode)
  }
}
