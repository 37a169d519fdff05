import ToDoModel
import ToDoSQLite

/// Recomputes derived values, in one transaction.
struct DatabaseRepair {
  let db: SQLiteConnection

  func run(_ kinds: [DatabaseProblem.Kind]) throws {
    if kinds.contains(.index) { try db.execute("REINDEX") }
    if kinds.contains(.placeCode) || kinds.contains(.fingerprint) { try repairItems() }
    try db.execute(
      """
      DELETE FROM deleted_item WHERE EXISTS (
        SELECT 1 FROM item WHERE item.owner = deleted_item.owner AND item.id = deleted_item.id);
      DELETE FROM past_change WHERE EXISTS (
        SELECT 1 FROM item WHERE item.owner = past_change.owner AND item.id = past_change.id
          AND item.revision = past_change.revision);
      """)
    for list in try StoredList.all(in: db) { try repair(list) }
    // Clients may have seen revisions that the lists no longer have.
    try ListIncarnation.replace(in: db)
  }

  private func repairItems() throws {
    var wrong: [(number: Int64, values: DerivedValues)] = []
    try StoredItem.forEach(in: db) { stored in
      guard case .success(let (_, computed)) = stored.content, stored.derived != computed else { return }
      wrong.append((stored.number, computed))
    }
    for (number, values) in wrong {
      try db.run(
        "UPDATE item SET place = ?, fingerprint = ? WHERE number = ?",
        [values.placeCode, values.fingerprint?.storedBytes, number])
    }
  }

  private func repair(_ list: StoredList) throws {
    let computed = try list.computed(in: db)
    let revision = max(list.revision, computed.highestRevision)
    var floor = min(max(list.floor, 0), revision)
    if computed.revisionCount != revision - floor { floor = try lastGap(in: list, upTo: revision) }
    try db.run(
      "UPDATE owner SET (revision, floor, item_count, byte_count, last_number) = (?, ?, ?, ?, ?) WHERE number = ?",
      [
        revision, floor, computed.itemCount, computed.byteCount, max(list.lastNumber, computed.highestNumber),
        list.number,
      ])
  }

  /// Returns the highest revision without a change. The feed is readable after it, and not after any lower revision.
  private func lastGap(in list: StoredList, upTo revision: Int64) throws -> Int64 {
    let revisions = try Statement(
      """
      SELECT revision FROM item INDEXED BY item_updated WHERE owner = ?1
      UNION SELECT revision FROM past_change WHERE owner = ?1 ORDER BY revision DESC
      """, on: db, binding: [list.number])
    var expected = revision
    try revisions.forEachRow {
      guard revisions.number(0) == expected else { return false }
      expected -= 1
      return true
    }
    return max(expected, 0)
  }
}
