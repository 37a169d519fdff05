import Testing

@testable import ToDoSQLite

@Suite struct StatementTests {
  private let connection: SQLiteConnection
  private let statement: Statement

  init() throws {
    connection = try SQLiteConnection(path: ":memory:")
    statement = try Statement("SELECT ?1, typeof(?1), length(?1)", on: connection)
  }

  private func firstRow<Value>(_ read: (Statement) -> Value) throws -> (value: Value, type: String) {
    try #require(try statement.firstRow { (read(statement), statement.text(1)) })
  }

  // MARK: Values

  @Test(arguments: [0, -1, .min, .max]) func bind_integer_isReadUnchanged(_ number: Int64) throws {
    statement.bind(number, at: 1)
    #expect(try firstRow { $0.number(0) } == (number, "integer"))
    #expect(try firstRow { $0.optionalNumber(0) } == (number, "integer"))
  }

  @Test(arguments: [0, -0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity])
  func bind_double_isReadUnchanged(_ number: Double) throws {
    statement.bind(number, at: 1)
    #expect(try firstRow { $0.optionalDouble(0) } == (number, "real"))
  }

  @Test(arguments: ["", "text", "é", "\0", "a\0b", "👩‍👩‍👧‍👦", String(repeating: "long ", count: 100_000)])
  func bind_text_isReadUnchanged(_ text: String) throws {
    statement.bind(text, at: 1)
    #expect(try firstRow { $0.text(0) } == (text, "text"))
    #expect(try firstRow { $0.optionalText(0) } == (text, "text"))
    #expect(try firstRow { $0.byteCount(0) } == (text.utf8.count, "text"))
    var bytes: [UInt8]?
    _ = try firstRow { $0.withUTF8(0) { bytes = Array($0) } }
    #expect(bytes == (text.isEmpty ? nil : Array(text.utf8)))
  }

  @Test(arguments: [[], [0], [0, 1, 0], Array(repeating: 0xFF, count: 100_000)])
  func bind_blob_isReadUnchanged(_ bytes: [UInt8]) throws {
    bytes.bind(to: statement, at: 1)
    #expect(try firstRow { $0.bytes(0) } == (bytes, "blob"))
    #expect(try firstRow { $0.blob(0).map(Array.init) } == (bytes.isEmpty ? nil : bytes, "blob"))
    #expect(try firstRow { $0.byteCount(0) } == (bytes.count, "blob"))
  }

  @Test func bind_null_isReadAsNil() throws {
    let binds: [() -> Void] = [
      { statement.bind(nil as Int64?, at: 1) }, { statement.bind(nil as Double?, at: 1) },
      { statement.bind(nil as String?, at: 1) }, { ([UInt8]?).none.bind(to: statement, at: 1) },
    ]
    for bind in binds {
      statement.bind("earlier", at: 1)
      bind()
      #expect(try firstRow { $0.optionalNumber(0) } == (nil, "null"))
      #expect(try firstRow { $0.optionalDouble(0) } == (nil, "null"))
      #expect(try firstRow { $0.optionalText(0) } == (nil, "null"))
      #expect(try firstRow { $0.bytes(0) } == (nil, "null"))
      #expect(try firstRow { $0.number(0) } == (0, "null"))
      #expect(try firstRow { $0.text(0) } == ("", "null"))
    }
  }

  @Test func rows_whenValuesHaveManyTypes_bindsThemInOrder() throws {
    let bytes: [UInt8] = [1, 2]
    let types = try connection.rows(
      "SELECT typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?)",
      [1, 1 as Int64, 1.0, true, "text", bytes, String?.none]
    ) { row in (0..<7).map { row.text($0) } }
    #expect(types == [["integer", "integer", "real", "integer", "text", "blob", "null"]])
    #expect(try connection.number("SELECT ?", [true]) == 1)
    #expect(try connection.number("SELECT ?", [false]) == 0)
    #expect(try connection.number("SELECT ?", [Int64?.some(7)]) == 7)
  }

  // MARK: Runs

  @Test func run_whenParameterCannotBeBound_throwsOnce() throws {
    statement.bind(1 as Int64, at: 2)
    statement.bind(1 as Int64, at: 1)
    let error = try #require(throws: SQLiteError.self) { try statement.run() }
    #expect(error.code == .range)
    #expect(try statement.firstRow { statement.number(0) } == 1)
  }

  @Test func run_afterConstraintError_succeedsWithOtherValue() throws {
    try connection.execute("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)")
    let insert = try Statement("INSERT INTO t VALUES (?)", on: connection)
    insert.bind(1 as Int64, at: 1)
    let error = try #require(throws: SQLiteError.self) { try insert.run() }
    #expect(error.code == .constraint)
    #expect(error.extendedCode == .uniqueConstraint)
    #expect(error.message == "UNIQUE constraint failed: t.x")
    #expect(error.sql == "INSERT INTO t VALUES (?)")
    insert.bind(2 as Int64, at: 1)
    try insert.run()
    #expect(connection.changeCount == 1)
    #expect(connection.lastInsertedRow == 2)
  }

  @Test func forEachRow_whenBodyStopsOrThrows_endsReadTransaction() throws {
    struct Stop: Error {}
    let statement = try Statement("VALUES (1), (2), (3)", on: connection)
    var numbers: [Int64] = []
    try statement.forEachRow {
      numbers.append(statement.number(0))
      return numbers.count < 2
    }
    #expect(numbers == [1, 2])
    #expect(throws: Stop.self) { try statement.forEachRow { throw Stop() } }
    // A statement that is still running would make this fail.
    try connection.execute("PRAGMA journal_mode = MEMORY; VACUUM")
    #expect(try statement.firstRow { statement.number(0) } == 1)
  }

  @Test func firstRow_whenThereIsNone_returnsNil() throws {
    #expect(try connection.number("SELECT 1 WHERE 0") == nil)
    #expect(try connection.text("SELECT NULL") == nil)
    #expect(try connection.rows("SELECT 1 WHERE 0") { $0.number(0) } == [])
  }

  // MARK: Texts of statements

  @Test func prepare_whenTextIsInvalid_throwsItsText() throws {
    let error = try #require(throws: SQLiteError.self) { try Statement("SELECT missing", on: connection) }
    #expect(error.code == .error)
    #expect(error.description == "SQLite error 1: no such column: missing, in the statement: SELECT missing")
  }

  @Test(arguments: ["", " ", "-- nothing", "SELECT 1; SELECT 2"])
  func prepare_whenTextIsNotOneStatement_throwsMisuse(_ sql: String) throws {
    let error = try #require(throws: SQLiteError.self) { try Statement(sql, on: connection) }
    #expect(error.code == .misuse)
    #expect(error.sql == sql)
  }

  @Test func compilingLater_whenUsedFirst_compiles() throws {
    let insert = Statement(compilingLater: "INSERT INTO t VALUES (?, ?)", on: connection)
    let count = Statement(compilingLater: "SELECT count(*) FROM t WHERE x = ?", on: connection)
    #expect(insert.handle == nil)
    // Neither statement could be compiled before.
    try connection.execute("CREATE TABLE t (x, y)")
    for number: Int64 in 1...2 {
      insert.bind(number, at: 1)
      insert.bind("text", at: 2)
      try insert.run()
    }
    count.bind(1.0, at: 1)
    #expect(try count.firstRow { count.number(0) } == 1)
    #expect(try Statement(compilingLater: "SELECT 1", on: connection).firstRow { true } == true)
  }

  @Test func compilingLater_whenTextIsInvalid_throwsInRun() throws {
    let statement = Statement(compilingLater: "INSERT INTO missing VALUES (?, ?)", on: connection)
    statement.bind("first", at: 1)
    try connection.execute("CREATE TABLE missing (x, y)")
    statement.bind("second", at: 2)
    // The first value is not bound.
    let error = try #require(throws: SQLiteError.self) { try statement.run() }
    #expect(error.message == "no such table: missing")
    statement.bind("first", at: 1)
    statement.bind("second", at: 2)
    try statement.run()
    #expect(try connection.rows("SELECT x, y FROM missing") { [$0.text(0), $0.text(1)] } == [["first", "second"]])
  }

  @Test func compilingLater_whenNothingIsBound_throwsInRun() throws {
    let statement = Statement(compilingLater: "SELECT missing", on: connection)
    #expect(throws: SQLiteError.self) { try statement.run() }
    #expect(throws: SQLiteError.self) { try statement.firstRow {} }
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1 ; \n\t"]) func prepare_whenSpaceFollows_succeeds(_ sql: String) throws {
    #expect(try connection.number(sql) == 1)
  }

  @Test func execute_whenScriptFails_throwsItsTextAfterFirstStatements() throws {
    let script = "CREATE TABLE t (x); INSERT INTO missing VALUES (1)"
    let error = try #require(throws: SQLiteError.self) { try connection.execute(script) }
    #expect(error.message == "no such table: missing")
    #expect(error.sql == script)
    #expect(try connection.number("SELECT count(*) FROM t") == 0)
  }

  @Test func prepare_whenStringHasDoubleQuotes_throws() throws {
    let error = try #require(throws: SQLiteError.self) { try connection.text("SELECT \"text\"") }
    #expect(error.message.contains("no such column"))
  }

  @Test func cachedStatement_whenTextIsEqual_isReused() throws {
    let first = try connection.cachedStatement("SELECT 1")
    #expect(try connection.cachedStatement("SELECT 1") === first)
    #expect(try connection.cachedStatement("SELECT 2") !== first)
    #expect(try first.firstRow { first.number(0) } == 1)
  }

  @Test func resultCode_meaning_hasTextAndCode() {
    #expect(ResultCode.uniqueConstraint.meaning == "constraint failed (SQLite code 2067)")
    #expect(SQLiteError(.corrupt).message == "database disk image is malformed")
    #expect(SQLiteError(.fileSyncFailed).extendedCode.rawValue == 1034)
    #expect(SQLiteError(.directorySyncFailed).extendedCode.rawValue == 1290)
  }
}
