#if PostgreSQL
import ToDoPostgreSQL
import Testing
import ToDoTestSupport
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore

@Suite(.blocking) struct ListCompactionTests {
  private let database: StoreDatabase
  private let connection: PostgreSQLConnection
  private static let list = OwnerID("ann")
  private static let day: Int64 = 86_400

  init() throws {
    database = try StoreDatabase()
    connection = try database.connection()
  }

  /// Adds revisions with two changes each, of 10 bytes, whose times are SQL expressions of the revision `n` in
  /// seconds.
  private func add(_ revisions: ClosedRange<Int>, at time: String) throws {
    try connection.execute(
      """
      INSERT INTO list VALUES ('ann', 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
      INSERT INTO change (list, revision, id, time, was_done, size)
      SELECT 'ann', n, gen_random_uuid(), (\(time)) * 1000000::bigint, false, 10
      FROM generate_series(\(revisions.lowerBound), \(revisions.upperBound)) n, generate_series(1, 2);
      UPDATE list SET revision = \(revisions.upperBound), byte_count = byte_count + \(revisions.count * 20)
      """)
  }

  /// Adds 10 reserved or kept IDs of 100 bytes, which were deleted at the seconds 1 to 10 and expire as many days
  /// later.
  private func addDeletedItems(isKept: Bool) throws {
    try connection.execute(
      """
      INSERT INTO list VALUES ('ann', 1, 1, 0, 0, 0) ON CONFLICT DO NOTHING;
      INSERT INTO item (list, id, number, revision, created_at, due_order, hash, spot_latitude, spot_longitude,
        deleted_at, expires_at, content, size)
      SELECT 'ann', gen_random_uuid(), n, n, n, n, gen_random_uuid(), 0, 0, n * 1000000, \
      \(isKept ? "n * 86400000000, 'x', 100" : "NULL, NULL, 0") FROM generate_series(1, 10) n;
      UPDATE list SET byte_count = byte_count + 10 * (64 + \(isKept ? 100 : 0))
      """)
  }

  private func compact(
    _ retention: ChangeRetention = ChangeRetention(age: .seconds(100), count: 5), at seconds: Int64
  ) throws {
    try ListCompaction(retention: retention).compact(
      Self.list, now: Timestamp(microseconds: seconds * 1_000_000), on: connection)
    #expect(!connection.isInTransaction)
  }

  private var floor: Int64? { get throws { try database.numbers("SELECT floor FROM list").first ?? nil } }

  /// The floor, the list's size, and the number of changes.
  private var numbers: [Int64?] {
    get throws { try database.numbers("SELECT floor, byte_count, (SELECT count(*) FROM change) FROM list", count: 3) }
  }

  // MARK: Changes

  @Test func compact_removesWholeRevisionsBeyondBothLimits() throws {
    try add(1...300, at: "n * 100")
    try compact(at: 30_000)
    #expect(try numbers == [295, 100, 10])
    #expect(try database.numbers("SELECT min(revision) FROM change") == [296])
  }

  @Test func compact_whenChangesAreAmongTheLast_retainsThem() throws {
    try add(1...7, at: "n")
    try compact(at: 365 * Self.day)
    #expect(try floor == 2)
  }

  @Test func compact_whenChangesAreRecent_retainsThem() throws {
    try add(1...50, at: "0")
    try add(51...500, at: "1000")
    try compact(at: 1000)
    #expect(try floor == 50)
    try compact(at: 1099)
    #expect(try floor == 50)
    try compact(at: 1100)
    #expect(try floor == 495)
  }

  @Test func compact_whenClockJumpedBack_waitsForLaterChanges() throws {
    try add(1...10, at: "1000")
    try add(11...200, at: "0")
    try compact(at: 0)
    #expect(try floor == 0)
    try add(201...328, at: "1050")
    try compact(at: 1050)
    #expect(try floor == 0)
    try add(329...456, at: "1120")
    try compact(at: 1120)
    #expect(try floor == 200)
  }

  @Test func compact_whenClockJumpedForwardAndBack_continues() throws {
    try add(1...10, at: "1000000000")
    try add(11...300, at: "(n - 10) * 100")
    try compact(at: 29_000)
    #expect(try floor == 295)
  }

  @Test func compact_whenStoredTimeIsInvalid_continues() throws {
    try add(1...300, at: "n * 100")
    try connection.execute("UPDATE change SET time = \(Int64.min) WHERE revision = 3")
    try connection.execute("UPDATE change SET time = \(Int64.max) WHERE revision = 4")
    try compact(at: 30_000)
    #expect(try floor == 295)
  }

  @Test func compact_whenRetentionIsUnlimited_retainsAllChanges() throws {
    try add(1...300, at: "n * 100")
    try compact(ChangeRetention(age: .seconds(Int64.max), count: 1), at: 1_000_000_000)
    try compact(ChangeRetention(age: .zero, count: .max), at: 1_000_000_000)
    #expect(try floor == 0)
  }

  @Test func compact_whenARevisionHasManyChanges_removesItsRowsInSteps() throws {
    try connection.execute(
      """
      INSERT INTO list VALUES ('ann', 1, 0, 0, 50000, 0);
      INSERT INTO change (list, revision, id, time, was_done, size)
      SELECT 'ann', 1, gen_random_uuid(), 0, false, 10 FROM generate_series(1, 5000)
      """)
    try add(2...100, at: "1000")
    try compact(at: 1000)
    #expect(try numbers == [1, 9_040 + 1_980, 904 + 198])
    try compact(at: 1000)
    #expect(try numbers == [1, 1_980, 198])
  }

  @Test func compact_whenRecentRevisionsHaveManyChanges_catchesUp() throws {
    try connection.execute(
      """
      INSERT INTO list VALUES ('ann', 128, 0, 0, 128000, 0);
      INSERT INTO change (list, revision, id, time, was_done, size)
      SELECT 'ann', n, gen_random_uuid(), n, false, 10 FROM generate_series(1, 128) n, generate_series(1, 100)
      """)
    try compact(ChangeRetention(age: .zero, count: 64), at: 1000)
    #expect(try numbers == [64, 64_000, 6_400])
  }

  @Test func compact_whenListIsUnknown_doesNothing() throws {
    try compact(at: 0)
    #expect(try database.numbers("SELECT count(*) FROM list") == [0])
  }

  @Test func compact_leavesOtherListsUnchanged() throws {
    try add(1...300, at: "n * 100")
    try connection.execute("UPDATE change SET list = 'bob'; UPDATE list SET name = 'bob'")
    try add(1...300, at: "n * 100")
    try connection.execute("UPDATE list SET floor = 0")
    try compact(at: 30_000)
    #expect(try database.numbers("SELECT floor FROM list WHERE name = 'bob'") == [0])
    #expect(try database.numbers("SELECT count(*) FROM change WHERE list = 'bob'") == [600])
  }

  // MARK: Deleted items

  @Test func compact_removesExpiredItemsAndLeavesTheirIDsReserved() throws {
    try addDeletedItems(isKept: true)
    try compact(at: 4 * Self.day)
    #expect(try database.numbers("SELECT byte_count FROM list") == [6 * 164 + 4 * 64])
    #expect(try database.numbers("SELECT count(*) FROM item WHERE content IS NULL") == [4])
    #expect(
      try database.numbers(
        "SELECT count(*) FROM item WHERE content IS NULL AND expires_at IS NULL AND hash IS NULL AND size = 0") == [4]
    )
  }

  @Test func compact_removesReservedIDsAfterTheirRetention() throws {
    try addDeletedItems(isKept: false)
    try compact(at: 90 * Self.day)
    #expect(try database.numbers("SELECT count(*) FROM item") == [10])
    try compact(at: 90 * Self.day + 3)
    #expect(try database.numbers("SELECT count(*) FROM item") == [7])
    #expect(try database.numbers("SELECT byte_count FROM list") == [7 * 64])
  }

  @Test func compact_whenDeletedItemsHaveNotExpired_keepsThem() throws {
    try addDeletedItems(isKept: true)
    try compact(ChangeRetention(deletedIDAge: .zero), at: Self.day - 1)
    #expect(try database.numbers("SELECT count(*) FROM item WHERE content IS NOT NULL") == [10])
  }

  // MARK: Plans

  @Test(arguments: [CompactionSQL.removeChanges, CompactionSQL.expireItems, CompactionSQL.removeReservedIDs])
  func removal_usesAnIndex(_ statement: SQL) throws {
    let count = statement == CompactionSQL.removeReservedIDs ? 4 : 3
    let types = ["text", "bigint", "bigint", "bigint"].prefix(count).joined(separator: ", ")
    let values = ["'ann'", "1", "100", "64"].prefix(count).joined(separator: ", ")
    try connection.analyzeSchema()
    try connection.execute("PREPARE plan (\(types)) AS \(statement.text)")
    let rows = try connection.run(SQL("EXPLAIN EXECUTE plan(\(values))"))
    let plan = (0..<rows.count).map { rows.text($0, 0) }.joined(separator: "\n")
    #expect(!plan.contains("Seq Scan"), "\(plan)")
    #expect(plan.contains("Index Scan") || plan.contains("Index Only Scan"), "\(plan)")
    #expect(!plan.contains("Sort"), "\(plan)")
  }

  @Test func isDue_usesAnIndexForEachPart() throws {
    try connection.analyzeSchema()
    try connection.execute(
      "PREPARE plan (text, bigint, bigint, bigint, bigint) AS \(CompactionSQL.isDue.text)")
    let rows = try connection.run("EXPLAIN EXECUTE plan('ann', 1000, 100, 50, 20)")
    let plan = (0..<rows.count).map { rows.text($0, 0) }.joined(separator: "\n")
    for index in ["change_pkey", "item_expiry", "item_reserved"] { #expect(plan.contains(index), "\(plan)") }
    #expect(!plan.contains("Sort") && !plan.contains("Seq Scan"), "\(plan)")
  }

  @Test func candidates_useAnIndex() throws {
    try connection.analyzeSchema()
    try connection.execute(
      "PREPARE plan (text, bigint, bigint, bigint, bigint, bigint) AS \(CompactionSQL.candidates.text)")
    let rows = try connection.run("EXPLAIN EXECUTE plan('ann', 0, 100, 5, 3, 10)")
    let plan = (0..<rows.count).map { rows.text($0, 0) }.joined(separator: "\n")
    #expect(plan.ranges(of: "change_pkey").count == 2, "\(plan)")
    #expect(!plan.contains("Sort") && !plan.contains("Seq Scan"), "\(plan)")
  }

  @Test(arguments: [(63, 64, true), (64, 65, false), (10, 200, true), (64, 127, false), (0, 0, false)])
  func isDue_whenRevisionCrossesAMultipleOf64(_ old: Int64, _ new: Int64, _ isDue: Bool) {
    #expect(ListCompaction.isDue(from: Revision(old), to: Revision(new)) == isDue)
  }
}
#endif
