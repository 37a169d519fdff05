extension Migration {
  /// Version 12: the end of access to lists.
  ///
  /// `access_version` is the account version of the last change of users or tokens that may have ended a caller's access to
  /// the list. A write whose caller's access was checked at an earlier version checks it again.
  static let accessVersions = Migration(
    sql: "ALTER TABLE owner ADD COLUMN access_version INTEGER NOT NULL DEFAULT 0;")
}
