extension Migration {
  /// Version 9: bulk deletions.
  ///
  /// `deletion` is the `PendingDeletion` of an owner, `deletion_time` the time at which it began.
  static let bulkDeletions = Migration(
    sql: """
      ALTER TABLE owner ADD COLUMN deletion INTEGER CHECK (deletion IN (1, 2));
      ALTER TABLE owner ADD COLUMN deletion_time INTEGER CHECK ((deletion IS NULL) = (deletion_time IS NULL));
      """)
}
