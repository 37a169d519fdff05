import ToDoRules
import ToDoSQLite

extension Statement {
  func bind(_ fingerprint: ContentFingerprint, at parameter: Int32) {
    fingerprint.withStoredBytes { bind($0, at: parameter) }
  }

  /// Returns a fingerprint, or `nil` for NULL and invalid values.
  func fingerprint(_ column: Int32) -> ContentFingerprint? {
    blob(column).flatMap(ContentFingerprint.init(storedBytes:))
  }
}
