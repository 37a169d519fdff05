#if PostgreSQL
import ToDoPostgreSQL
import Testing
import ToDoModel

@testable import ToDoPostgreSQLStore

/// The plans of the writer's statements, which must not depend on statistics.
struct WritePlanTests {
  /// A statement, the number of its parameters, and parts of its plan.
  private typealias Expected = (name: String, sql: SQL, count: Int, parts: [String])

  private static let statements: [Expected] = [
    ("lockLists", WriteSQL.lockLists, 2, ["list_pkey on list", "(name = k.name)"]),
    ("availableLists", WriteSQL.availableLists, 1, ["user_list_id on user_list", "(id = k.id)"]),
    ("records", WriteSQL.records, 2, ["item_pkey on item", "((list = k.list) AND (id = k.id))"]),
    ("matches", WriteSQL.matches, 5, ["item_duplicate on item", "(spot_longitude >= k.first_longitude)"]),
    (
      "severalMatches", WriteSQL.severalMatches, 6, ["item_duplicate on item", "(spot_longitude >= k.first_longitude)"]
    ),
    ("pendingLookup", WriteSQL.pendingLookup, 2, ["pending_lookup_pkey", "((list = $1) AND (id = $2))"]),
    (
      "changes", WriteSQL.changes(hasStart: true), 5,
      [
        "change_pkey on change", "((list = $1) AND (ROW(revision, id) > ROW($2, $5)) AND (revision <= $2))",
        "change_former on change", "(former_revision >= $2) AND (former_revision <= $2)", "item_pkey on item",
      ]
    ),
    ("firstChanges", WriteSQL.changes(hasStart: false), 4, ["change_pkey on change", "change_former on change"]),
    ("change", WriteSQL.change, 3, ["on change", "(list = $1)", "(id = $3)", "(revision = $2)"]),
    (
      "existingChanges", WriteSQL.existingChanges, 5,
      ["on change", "(list = k.list)", "(revision = k.revision)", "(id = k.id)"]
    ),
    ("removeLookup", WriteSQL.removeLookup, 2, ["pending_lookup_pkey", "((list = $1) AND (id = $2))"]),
    ("postponeLookup", WriteSQL.postponeLookup, 3, ["pending_lookup_pkey", "((list = $1) AND (id = $2))"]),
    ("dueLookups", WriteSQL.dueLookups, 3, ["pending_lookup_due", "(due <= $1)"]),
    ("keepDone", WriteSQL.delete(.done, keepsItems: true), 8, ["on item", "(list = $1)"]),
    ("deleteAll", WriteSQL.delete(.all, keepsItems: false), 8, ["on item", "(list = $1)"]),
    ("removeDeletedItems", WriteSQL.removeDeletedItems, 3, ["item_expiry on item", "Tid Scan on item"]),
    ("removeChanges", WriteSQL.removeChanges, 3, ["change_pkey on change", "Tid Scan on change"]),
  ]

  @Test func plan_whateverTheStatisticsAre_readsOnlyTheRowsOfTheResult() throws {
    let database = try WriterDatabase()
    try checkPlans(database, "a new database")
    try StoreConnection.open(database.uri, purpose: "test").analyzeSchema()
    try checkPlans(database, "an empty database with statistics")
    try fill(database)
    try checkPlans(database, "a database with outdated statistics")
    try StoreConnection.open(database.uri, purpose: "test").analyzeSchema()
    try checkPlans(database, "a database with statistics")
  }

  /// The sizes are those at which a plan without the redundant order reads the whole list.
  @Test(arguments: [600, 3_200, 6_500]) func matches_withoutStatisticsOfALongList_usesItsIndex(count: Int) throws {
    let database = try WriterDatabase()
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    try connection.execute(
      """
      ALTER TABLE item SET (autovacuum_enabled = false);
      INSERT INTO item SELECT 'list', gen_random_uuid(), g, g, g, NULL, g, NULL, gen_random_uuid(), 1, 1, NULL,
        NULL, NULL, repeat('x', 100)::bytea, 100 FROM generate_series(1, \(count)) AS g;
      PREPARE plan AS \(WriteSQL.matches.text)
      """)
    let rows = try connection.run("EXPLAIN (COSTS OFF) EXECUTE plan(NULL, NULL, NULL, NULL, NULL)")
    let plan = (0..<rows.count).map { rows.text($0, 0) }.joined(separator: "\n")
    #expect(plan.contains("item_duplicate on item"), "\(plan)")
  }

  private func checkPlans(_ database: WriterDatabase, _ comment: Comment) throws {
    // A new connection has no plans.
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    for (name, sql, count, parts) in Self.statements {
      let arguments = Array(repeating: "NULL", count: count).joined(separator: ", ")
      try connection.execute("PREPARE plan AS \(sql.text)")
      let rows = try connection.run(SQL("EXPLAIN (COSTS OFF) EXECUTE plan(\(arguments))"))
      try connection.execute("DEALLOCATE plan")
      let plan = (0..<rows.count).map { rows.text($0, 0) }.joined(separator: "\n")
      for part in parts { #expect(plan.contains(part), "\(name), \(comment):\n\(plan)") }
      for part in ["Sort", "Seq Scan", "Bitmap", "Join Filter", "Hash", "Materialize"] {
        #expect(!plan.contains(part), "\(name), \(comment):\n\(plan)")
      }
    }
  }

  /// Writes a long list and several short ones.
  private func fill(_ database: WriterDatabase) throws {
    try StoreConnection.open(database.uri, purpose: "test").execute(
      """
      INSERT INTO list SELECT 'list' || g, 1000, 0, 100, 1, 1 FROM generate_series(0, 20) AS g;
      INSERT INTO item SELECT 'list' || CASE WHEN g < 4000 THEN 0 ELSE g % 20 END, gen_random_uuid(), g, g, g * 10,
        CASE WHEN g % 3 = 0 THEN g END, g % 1000, NULL, gen_random_uuid(), 1, 1, NULL,
        CASE WHEN g % 11 = 0 THEN 5 END, CASE WHEN g % 22 = 0 THEN 9 END,
        CASE WHEN g % 11 = 0 AND g % 22 <> 0 THEN NULL ELSE '\\x01'::bytea END, 100
        FROM generate_series(1, 5000) AS g;
      INSERT INTO change SELECT list, revision, id, 1, revision, false, NULL, NULL, NULL, '\\x01', revision - 1, 5
        FROM item;
      INSERT INTO pending_lookup SELECT list, id, 'Main Street', 1, revision FROM item;
      """)
  }
}
#endif
