import ToDoModel
import ToDoRules
import ToDoSQLite

/// The reads of a check, in one transaction.
struct DatabaseInspection {
  let db: SQLiteConnection
  private var found = ProblemList()
  private var itemCount = 0
  private var listCount = 0
  private var isComplete = true

  init(_ db: SQLiteConnection) {
    self.db = db
  }

  var report: DatabaseCheck.Report {
    DatabaseCheck.Report(
      problems: found.problems, itemCount: itemCount, listCount: listCount, isComplete: isComplete)
  }

  /// Runs a part of the check to its end or to the deadline.
  mutating func finishing(_ part: (inout DatabaseInspection) throws -> Void) throws {
    do { try part(&self) } catch let error as SQLiteError {
      switch error.code {
      case .interrupt: isComplete = false
      case .corrupt, .notADatabase: found.add(.damage, error.code.meaning)
      default: throw error
      }
    }
  }

  /// - Parameter isBrief: whether to leave out the comparison of indexes with their tables.
  mutating func inspectFile(isBrief: Bool) throws {
    let lines = try db.rows(isBrief ? "PRAGMA quick_check(100)" : "PRAGMA integrity_check(100)") { $0.text(0) }
    for line in lines where line != "ok" { found.add(Self.isOfIndex(line) ? .index : .damage, line) }
  }

  /// Returns whether a message of SQLite's check reports an index that does not match its table.
  private static func isOfIndex(_ line: String) -> Bool {
    line.contains("missing from index") || line.contains("wrong # of entries in index")
      || line.contains("non-unique entry in index")
  }

  // MARK: Items

  mutating func inspectItems() throws {
    try StoredItem.forEach(in: db) { stored in
      itemCount += 1
      switch stored.content {
      case .failure(let error): found.add(.unreadable, "\(error)")
      case .success(let (item, computed)):
        if stored.derived.position != computed.position { found.add(.position, "item \(item.id)") }
        if stored.derived.placeCode != computed.placeCode { found.add(.placeCode, "item \(item.id)") }
        if stored.derived.fingerprint != computed.fingerprint { found.add(.fingerprint, "item \(item.id)") }
      }
    }
    for (sql, kind, text) in Self.rowChecks {
      let count = try db.number("SELECT count(*) FROM " + sql) ?? 0
      for _ in 0..<min(count, 1000) { found.add(kind, text) }
    }
  }

  private static let rowChecks: [(sql: String, kind: DatabaseProblem.Kind, text: String)] = [
    ("item WHERE owner NOT IN (SELECT number FROM owner)", .orphan, "an item of no list"),
    ("past_change WHERE owner NOT IN (SELECT number FROM owner)", .orphan, "a change of no list"),
    ("deleted_item WHERE owner NOT IN (SELECT number FROM owner)", .orphan, "a deleted ID of no list"),
    ("deleted_item JOIN item USING (owner, id)", .deletedID, "an existing item's ID is marked as deleted"),
    (
      "past_change JOIN item USING (owner, id, revision)", .duplicateChange,
      "an item's latest change is stored as an earlier one too"
    ),
  ]

  // MARK: Lists

  mutating func inspectLists() throws {
    for list in try StoredList.all(in: db) {
      listCount += 1
      let computed = try list.computed(in: db)
      let name = "list \(list.name)"
      if list.revision < computed.highestRevision || list.revision < list.floor || list.floor < 0 {
        found.add(.revision, "\(name) is at revision \(list.revision), its changes at \(computed.highestRevision)")
      }
      if list.revision > list.floor, computed.revisionCount != list.revision - list.floor {
        let expected = "\(list.revision - list.floor) revisions after \(list.floor)"
        found.add(.gap, "\(name) has \(computed.revisionCount) of \(expected)")
      }
      if list.lastNumber < computed.highestNumber {
        found.add(
          .number, "\(name) has assigned \(list.lastNumber) numbers and contains item \(computed.highestNumber)")
      }
      if list.itemCount != computed.itemCount {
        found.add(.itemCount, "\(name) has \(computed.itemCount) items, not \(list.itemCount)")
      }
      if list.byteCount != computed.byteCount {
        found.add(.byteCount, "\(name) has \(computed.byteCount) bytes, not \(list.byteCount)")
      }
    }
  }
}

/// The values of an item's row that the program computes from its content.
struct DerivedValues: Equatable {
  /// The item's order by due date.
  let position: Int64
  let placeCode: Int64?
  /// The fingerprint; `nil` if the row contains no valid one.
  let fingerprint: ContentFingerprint?
}

extension DerivedValues {
  /// Computes the values that the store writes for an item. Checks and repairs both use this initializer.
  init(of item: ToDoItem, key: FingerprintKey) {
    self.init(
      position: (item.due?.order ?? .max).microseconds,
      placeCode: item.location?.coordinate.map { MortonCode($0).number },
      fingerprint: ContentFingerprint(of: item.content, key: key))
  }
}

/// The row of an item, with its stored and recomputed derived values.
struct StoredItem {
  let number: Int64
  let derived: DerivedValues
  /// The item and the values that its row should have, or the reason why the row is unreadable.
  let content: Result<(item: ToDoItem, computed: DerivedValues), ToDoError>

  /// Reads every item, the latest first.
  static func forEach(in db: SQLiteConnection, _ body: (StoredItem) throws -> Void) throws {
    let key = try FingerprintKey(db)
    let row = try Statement(
      "SELECT \(SQLiteItemRow.columns), number, due_order, place, fingerprint FROM item ORDER BY number DESC", on: db)
    try row.forEachRow {
      let next = SQLiteItemRow.columnCount
      try body(
        StoredItem(
          number: row.number(next),
          derived: DerivedValues(
            position: row.number(next + 1), placeCode: row.optionalNumber(next + 2),
            fingerprint: row.fingerprint(next + 3)),
          content: Result { () throws(ToDoError) in
            let item = try SQLiteItemRow.decode(row)
            return (item, DerivedValues(of: item, key: key))
          }))
      return true
    }
  }
}

/// The row of a list, whose values can be recomputed from its other rows.
struct StoredList {
  let number: Int64
  let name: String
  let revision: Int64
  let floor: Int64
  let itemCount: Int64
  let byteCount: Int64
  let lastNumber: Int64
  /// Whether a bulk deletion is not complete. Its rows have the revision after the list's.
  let hasPendingDeletion: Bool

  struct Computed {
    let highestRevision: Int64
    /// The number of revisions after the floor that have a change.
    let revisionCount: Int64
    let itemCount: Int64
    let byteCount: Int64
    let highestNumber: Int64
  }

  static func all(in db: SQLiteConnection) throws -> [StoredList] {
    try db.rows("SELECT number, name, revision, floor, item_count, byte_count, last_number, deletion FROM owner") {
      row in
      StoredList(
        number: row.number(0), name: row.text(1), revision: row.number(2), floor: row.number(3),
        itemCount: row.number(4), byteCount: row.number(5), lastNumber: row.number(6),
        hasPendingDeletion: row.optionalNumber(7) != nil)
    }
  }

  func computed(in db: SQLiteConnection) throws -> Computed {
    func number(_ sql: String, _ values: [Int64]) throws -> Int64 {
      try db.number(sql, values) ?? 0
    }
    let last = hasPendingDeletion ? revision : .max
    return Computed(
      highestRevision: max(
        try number(
          "SELECT max(revision) FROM item INDEXED BY item_updated WHERE owner = ? AND revision <= ?",
          [self.number, last]),
        try number("SELECT max(revision) FROM past_change WHERE owner = ? AND revision <= ?", [self.number, last])),
      revisionCount: try number(
        """
        SELECT count(*) FROM (
          SELECT revision FROM item INDEXED BY item_updated WHERE owner = ?1 AND revision > ?2 AND revision <= ?3
          UNION SELECT revision FROM past_change WHERE owner = ?1 AND revision > ?2 AND revision <= ?3)
        """, [self.number, floor, last]),
      itemCount: try number("SELECT count(*) FROM item INDEXED BY item_id WHERE owner = ?", [self.number]),
      byteCount: try number("SELECT sum(\(ItemSQL.size)) FROM item INDEXED BY item_id WHERE owner = ?", [self.number])
        + number("SELECT sum(\(ItemSQL.size)) FROM past_change WHERE owner = ?", [self.number])
        + number("SELECT sum(\(ItemSQL.deletedSize)) FROM deleted_item WHERE owner = ?", [self.number]),
      highestNumber: max(
        try number("SELECT max(item_number) FROM item INDEXED BY item_number WHERE owner = ?", [self.number]),
        try number("SELECT max(item_number) FROM past_change WHERE owner = ?", [self.number]),
        try number("SELECT max(item_number) FROM deleted_item WHERE owner = ?", [self.number])))
  }
}
