#if PostgreSQL
extension StoreMigration {
  /// Version 2.
  ///
  /// `access_version` is the account version of the last change of users or tokens that may have ended a caller's
  /// access to the list. A write whose caller's access was checked at an earlier version checks it again.
  static let accessVersions = transaction("ALTER TABLE list ADD COLUMN access_version bigint NOT NULL DEFAULT 0")
}
#endif
