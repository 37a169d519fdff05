#if PostgreSQL
import ToDoPostgreSQL
import ToDoSQLite
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

/// A busy machine is no failure, so the limit is generous.
@Suite(.timeLimited, .blocking) struct StoreCopyResumptionTests {
  private let stores: CopiedStores

  init() throws {
    stores = try CopiedStores()
  }

  /// Throws at the event with a number.
  private func interrupting(at number: Int) -> (StoreCopy.Progress) throws -> Void {
    var count = 0
    return { _ in
      count += 1
      if count == number { throw CopiedStores.Interruption() }
    }
  }

  @Test func run_whenInterruptedBetweenTransactions_resumesInPostgreSQL() async throws {
    try await stores.fillSQLite()
    let contents = try await StoreContents(sqlite: stores.source)
    for number in [1, 2, 3, 4, 5, 6] {
      #expect(throws: CopiedStores.Interruption.self) {
        try stores.moveToPostgreSQL(maximumRecords: 40, report: interrupting(at: number))
      }
      #expect(throws: PostgreSQLStoreError.incompleteMove) { try PostgreSQLToDoItemStore(uri: stores.database.uri) }
    }
    var resumed: [String] = []
    try stores.moveToPostgreSQL { if case .copied(let list, _, true) = $0 { resumed.append(list.name) } }
    #expect(!resumed.isEmpty)
    #expect(try await StoreContents(postgreSQL: stores.database.uri).differences(from: contents) == [])
  }

  @Test func run_whenInterruptedBetweenTransactions_resumesInSQLite() async throws {
    try await stores.fillSQLite()
    let contents = try await StoreContents(sqlite: stores.source)
    try stores.moveToPostgreSQL()
    for number in [1, 2, 3, 4, 5, 6] {
      #expect(throws: CopiedStores.Interruption.self) {
        try stores.moveToSQLite(maximumRecords: 40, report: interrupting(at: number))
      }
      #expect(try stores.directory.files.filter { $0.hasSuffix("sqlite") } == ["source.sqlite"])
    }
    try stores.moveToSQLite()
    #expect(try await StoreContents(sqlite: stores.target).differences(from: contents) == [])
    #expect(try stores.directory.files.allSatisfy { !$0.contains("moving") })
  }

  @Test func run_whenSourceChangedAfterInterruption_copiesTheChange() async throws {
    try await stores.fillSQLite()
    #expect(throws: CopiedStores.Interruption.self) {
      try stores.moveToPostgreSQL { if case .verifying = $0 { throw CopiedStores.Interruption() } }
    }
    let store = try SQLiteToDoItemStore(path: stores.source, retention: RandomStore.retention)
    try await RandomStore.fill(store, seed: 2, operations: 10)
    await store.close()
    let contents = try await StoreContents(sqlite: stores.source)
    try stores.moveToPostgreSQL()
    #expect(try await StoreContents(postgreSQL: stores.database.uri).differences(from: contents) == [])
  }

  @Test func run_whenInterruptedCopyIsOfAnotherSource_isRejected() async throws {
    try await stores.fillSQLite(operations: 20)
    #expect(throws: CopiedStores.Interruption.self) { try stores.moveToPostgreSQL(report: interrupting(at: 1)) }
    try stores.execute("UPDATE list_incarnation SET incarnation = 7", on: stores.source)
    #expect(throws: StoreCopyError.otherSource(target: nil)) { try stores.moveToPostgreSQL() }
  }

  // MARK: Rejections

  @Test func run_whenDatabaseHasAList_isRejected() async throws {
    try await stores.fillSQLite(operations: 20)
    try await stores.fillPostgreSQL(operations: 20)
    let contents = try await StoreContents(postgreSQL: stores.database.uri)
    #expect(throws: StoreCopyError.targetNotEmpty(target: nil)) { try stores.moveToPostgreSQL() }
    #expect(try await StoreContents(postgreSQL: stores.database.uri).differences(from: contents) == [])
  }

  @Test func run_whileServerAddsAList_waitsForItsCommitAndIsRejected() async throws {
    try await stores.fillSQLite(operations: 20)
    try StoreSchema.migrate(try stores.database.connection())
    let writer = try stores.database.connection()
    try writer.execute("BEGIN; INSERT INTO list VALUES ('new', 1, 0, 0, 0, 0)")
    let move = Task { try stores.moveToPostgreSQL() }
    // The copy waits for the lock of the table.
    let waiting: SQL = "SELECT count(*) FROM pg_locks WHERE relation = 'list'::regclass AND NOT granted"
    for _ in 0..<500 where try writer.run(waiting).int64(0, 0) == 0 {
      _ = try writer.run("SELECT pg_sleep(0.01)")
    }
    try writer.execute("COMMIT")
    await #expect(throws: StoreCopyError.targetNotEmpty(target: nil)) { try await move.value }
    #expect(try stores.database.numbers("SELECT count(*) FROM list") == [1])
  }

  @Test func run_whenFileExists_isRejected() async throws {
    try await stores.fillPostgreSQL(operations: 20)
    try stores.execute("CREATE TABLE t (n)", on: stores.target)
    #expect(throws: StoreCopyError.targetNotEmpty(target: stores.target)) { try stores.moveToSQLite() }
    #expect(try stores.directory.files == ["target.sqlite"])
  }

  @Test func run_whenAnotherProcessCopies_isRejected() async throws {
    try await stores.fillSQLite(operations: 20)
    let target = try PostgreSQLCopyTarget(uri: stores.database.uri)
    let time = ManualTiming()
    #expect(throws: StoreCopyError.targetBusy) {
      try PostgreSQLCopyTarget(uri: stores.database.uri, timing: time.timing)
    }
    #expect(time.passed == .seconds(5))
    withExtendedLifetime(target) {}
  }

  @Test func run_whenDeletionIsUnfinished_namesTheList() async throws {
    try await stores.fillSQLite(operations: 40)
    try stores.execute("UPDATE owner SET (deletion, deletion_time) = (1, 0) WHERE name = 'bob'", on: stores.source)
    #expect(throws: StoreCopyError.unfinishedDeletion(list: "bob")) { try stores.moveToPostgreSQL() }
  }

  @Test func run_whenSourceChanges_namesTheListAndCanBeRepeated() async throws {
    try await stores.fillSQLite()
    let source = stores.source
    #expect(throws: StoreCopyError.sourceChanged(list: "bob")) {
      try stores.moveToPostgreSQL { progress in
        guard case .copied(let list, _, _) = progress, list.name == "bob" else { return }
        try stores.execute("UPDATE owner SET last_number = last_number + 1 WHERE name = 'bob'", on: source)
      }
    }
    try stores.moveToPostgreSQL()
    let contents = try await StoreContents(sqlite: stores.source)
    #expect(try await StoreContents(postgreSQL: stores.database.uri).differences(from: contents) == [])
  }

  @Test func run_whenPostgreSQLSourceChanges_namesTheList() async throws {
    try await stores.fillPostgreSQL()
    #expect(throws: StoreCopyError.sourceChanged(list: "ann")) {
      try stores.moveToSQLite { progress in
        guard case .copied(let list, _, _) = progress, list.name == "ann" else { return }
        try stores.database.execute("UPDATE list SET revision = revision + 1 WHERE name = 'ann'")
      }
    }
  }

  // MARK: Corruption

  @Test(arguments: [
    "UPDATE item SET content = set_byte(content, 12, 65) WHERE list = 'bob' AND content IS NOT NULL",
    "UPDATE item SET content = 'x' WHERE list = 'bob' AND content IS NOT NULL",
    "DELETE FROM change WHERE list = 'bob' AND former IS NULL AND cause IS NOT NULL",
    "UPDATE change SET time = time + 1 WHERE list = 'bob'",
    "UPDATE list SET byte_count = byte_count + 1 WHERE name = 'bob'",
    "UPDATE change SET client = 'other' WHERE list = 'bob'",
  ])
  func run_whenRowIsCorrupted_namesTheListAndCanBeRepeated(statement: String) async throws {
    try await stores.fillSQLite()
    #expect(throws: StoreCopyError.mismatch(list: "bob")) {
      try stores.moveToPostgreSQL { progress in
        guard case .copied(let list, _, _) = progress, list.name == "bob" else { return }
        try stores.database.execute(statement)
      }
    }
    #expect(throws: PostgreSQLStoreError.incompleteMove) { try PostgreSQLToDoItemStore(uri: stores.database.uri) }
    try stores.moveToPostgreSQL()
    let contents = try await StoreContents(sqlite: stores.source)
    #expect(try await StoreContents(postgreSQL: stores.database.uri).differences(from: contents) == [])
  }

  @Test func run_whenRowOfFileIsCorrupted_namesTheList() async throws {
    try await stores.fillPostgreSQL()
    #expect(throws: CopiedStores.Interruption.self) {
      try stores.moveToSQLite { if case .verifying = $0 { throw CopiedStores.Interruption() } }
    }
    let partial = stores.target + ".moving"
    try stores.execute(
      "UPDATE item SET title = title || 'x' WHERE owner = (SELECT number FROM owner WHERE name = 'local')",
      on: partial)
    #expect(throws: StoreCopyError.mismatch(list: "local")) { try stores.moveToSQLite() }
    try stores.moveToSQLite()
    #expect(try DatabaseCheck(path: stores.target).run().problems.isEmpty)
  }
}
#endif
