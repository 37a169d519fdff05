#if PostgreSQL
import ToDoPostgreSQL
import Testing
import ToDoModel
import ToDoStores

@testable import ToDoPostgreSQLStore

/// The plans of the statements, which must not depend on statistics.
struct ReadPlanTests {
  /// A statement, the number of its parameters, and the indexes that it reads, each with a part of its condition.
  private typealias Expected = (
    name: String, sql: SQL, count: Int, scans: [(indexes: Set<String>, condition: String)]
  )

  private static let statements: [Expected] = [
    ("revision", ReadSQL.revision, 1, [(["list_pkey"], "(name = $1)")]),
    ("item", ReadSQL.item, 2, [(["item_pkey"], "(list = $1) AND (id = $2)")]),
    ("items", ReadSQL.items, 2, [(["item_pkey"], "(list = k.list) AND (id = k.id)")]),
    ("itemsOfList", ReadSQL.itemsOfList, 2, [(["item_pkey"], "(list = $1) AND (id = k.id)")]),
    ("itemsOfNumbers", ReadSQL.itemsOfNumbers, 2, [(["item_number"], "(list = $1) AND (number = k.number)")]),
    (
      "changes", ReadSQL.changes, 4,
      [
        (["change_pkey"], "(list = $1) AND (ROW(revision, id) > ROW($2, $3))"),
        (["change_former"], "(id = c.id) AND (former_revision >= c.revision)"),
        (["item_pkey"], "(list = c.list) AND (id = c.id)"),
      ]
    ),
    (
      "history", ReadSQL.history, 4,
      [(["list_pkey"], "(name = $1)"), (["change_pkey"], "(ROW(revision, id) < ROW($2, $3)) AND (revision > $0)")]
    ),
    (
      "historyOfItem", ReadSQL.historyOfItem, 4,
      [
        (["list_pkey"], "(name = $1)"),
        (["change_item"], "(ROW(id, revision) < ROW($3, $2)) AND (ROW(id, revision) > ROW($3, $0))"),
      ]
    ),
    (
      "details", ReadSQL.details, 5,
      [
        (["change_pkey", "change_item"], "(list = $1) AND"),
        (["change_former"], "(id = k.id) AND (former_revision >= k.revision)"),
        (["item_pkey"], "(list = $1) AND (id = k.id)"),
      ]
    ),
    ("placesFrom", ReadSQL.placesFrom, 3, [(["item_place"], "(list = $1) AND (place >= $2)")]),
    ("placesBefore", ReadSQL.placesBefore, 3, [(["item_place"], "(list = $1) AND (place < $2)")]),
    (
      "placesInRanges", ReadSQL.placesInRanges, 3,
      [(["item_place"], "(list = $1) AND (place >= r.first) AND (place <= r.last)")]
    ),
  ]

  private static let scans: [Expected] = {
    let byDueDate = "(ROW(due_order, created_at, id) > ROW($2, $5, $3)) AND (due_order <= $6)"
    var scans: [Expected] = [
      ("byDueDate", ItemScan.byDueDate.sql, 6, [(["item_to_do"], byDueDate)]),
      ("byCompletion", ItemScan.byCompletion.sql, 4, [(["item_done"], "(ROW(completed_at, id) < ROW($2, $3))")]),
    ]
    for state in ItemState.allCases {
      scans.append(
        (
          "byCreation \(state)", ItemScan.byCreation(state).sql, 4,
          [(["item_created"], "(ROW(created_at, id) > ROW($2, $3))")]
        ))
      scans.append(
        (
          "byUpdate \(state)", ItemScan.byUpdate(state).sql, 4,
          [(["item_updated"], "(ROW(revision, id) < ROW($2, $3))")]
        ))
      scans.append(
        (
          "byDeletion \(state)", ItemScan.byDeletion(state).sql, 5,
          [(["item_deleted"], "(ROW(revision, id) < ROW($2, $3))")]
        ))
    }
    return scans
  }()

  @Test func plan_whateverTheStatisticsAre_readsOnlyTheRowsOfTheResult() throws {
    let database = try ReadingDatabase()
    try checkPlans(database, "a new database")
    try database.connection.analyzeSchema()
    try checkPlans(database, "an empty database with statistics")
    try fill(database)
    try checkPlans(database, "a database with outdated statistics")
    try database.connection.analyzeSchema()
    try checkPlans(database, "a database with statistics")
  }

  private func checkPlans(_ database: ReadingDatabase, _ comment: Comment) throws {
    // A new connection has no plans.
    let connection = try PostgreSQLConnection(database.settings)
    for (name, sql, count, scans) in Self.statements + Self.scans {
      let arguments = Array(repeating: "NULL", count: count).joined(separator: ", ")
      try connection.execute("PREPARE plan AS \(sql.text)")
      let rows = try connection.run("EXPLAIN (COSTS OFF) EXECUTE plan(\(arguments))")
      try connection.execute("DEALLOCATE plan")
      let lines = (0..<rows.count).map { rows.text($0, 0) }
      let plan = lines.joined(separator: "\n")
      let found = lines.filter { $0.contains(" using ") }
      let conditions = lines.filter { $0.contains("Index Cond:") }
      #expect(!plan.contains("Sort") && !plan.contains("Seq Scan") && !plan.contains("Bitmap"), "\(name): \(plan)")
      try #require(found.count == scans.count && conditions.count == scans.count, "\(name), \(comment):\n\(plan)")
      for ((indexes, condition), (line, actual)) in zip(scans, zip(found, conditions)) {
        #expect(indexes.contains { line.contains(" using \($0) ") }, "\(name), \(comment):\n\(plan)")
        #expect(actual.contains(condition), "\(name), \(comment):\n\(plan)")
      }
    }
  }

  /// Writes a long list and several short ones.
  private func fill(_ database: ReadingDatabase) throws {
    try database.connection.execute(
      """
      INSERT INTO list SELECT 'list' || g, 1000, 0, 100, 1, 1 FROM generate_series(0, 20) AS g;
      INSERT INTO item SELECT 'list' || CASE WHEN g < 8000 THEN 0 ELSE g % 20 END, gen_random_uuid(), g, g, g * 10,
        CASE WHEN g % 3 = 0 THEN g END, g % 1000, CASE WHEN g % 5 = 0 THEN g * 1000 END, gen_random_uuid(), 1, 1, NULL,
        CASE WHEN g % 11 = 0 THEN 5 END, CASE WHEN g % 22 = 0 THEN 9 END,
        CASE WHEN g % 11 = 0 AND g % 22 <> 0 THEN NULL ELSE '\\x01'::bytea END, 100
        FROM generate_series(1, 10000) AS g;
      INSERT INTO change SELECT list, revision, id, CASE WHEN revision % 7 = 0 THEN NULL ELSE 1 END, revision, false,
        'user', 'client', NULL, '\\x01', CASE WHEN revision % 2 = 0 THEN revision - 1 END, 5 FROM item;
      """)
  }
}
#endif
