import GRDB
import ToDoModel

extension ToDoError {
  /// What a failure of the database means to callers.
  init(_ failure: any Error) {
    self =
      switch failure {
      case let error as ToDoError: error
      case let error as DatabaseError where error.resultCode == .SQLITE_FULL: .storeFull
      case let error as DatabaseError: .storeUnavailable(detail: error.extendedResultCode.meaning)
      case let error as SQLiteStoreError: .storeUnavailable(detail: error.reason)
      default: .storeUnavailable(detail: "\(type(of: failure))")
      }
  }

  static let storeClosed = ToDoError.storeUnavailable(detail: "the store is closed")
}
