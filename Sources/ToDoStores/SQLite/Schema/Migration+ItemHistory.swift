extension Migration {
  /// Version 13: the history of single items, and the sizes of bulk deletions.
  ///
  /// - `past_change_item` finds the past changes of one item. Items that are added and never changed have none.
  /// - `deletion_byte_limit` is the size of the list that the copies of a `PendingDeletion` do not exceed.
  static let itemHistory = Migration(
    sql: """
      CREATE INDEX past_change_item ON past_change (owner, id, revision);
      ALTER TABLE owner ADD COLUMN deletion_byte_limit INTEGER;
      """)
}
