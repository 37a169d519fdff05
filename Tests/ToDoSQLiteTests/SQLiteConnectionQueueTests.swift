import Synchronization
import Testing
import ToDoTestSupport

@testable import ToDoSQLite

@Suite(.unitTimeLimited) struct ConnectionQueueTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let queue: SQLiteConnectionQueue

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("db.sqlite")
    let connection = try SQLiteConnection(path: path)
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    queue = SQLiteConnectionQueue(connection, label: "test")
  }

  private func count() async throws -> Int64? { try await queue.run { try $0.number("SELECT count(*) FROM t") } }

  private static let endless = """
    WITH RECURSIVE n (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
    """

  @Test func close_waitsForCalls_andEndsLaterOnes() async throws {
    async let count = queue.run { connection in
      _ = try connection.cachedStatement("SELECT 1")
      return try connection.number("SELECT count(*) FROM t")
    }
    _ = try await count
    queue.close()
    let error = await #expect(throws: SQLiteError.self) { try await queue.run { try $0.execute("SELECT 1") } }
    #expect(error?.code == .misuse)
  }

  @Test func transaction_whenCallsAreConcurrent_runsThemInTurn() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 {
        group.addTask { [queue] in
          try await queue.transaction(.immediate) { connection in
            let count = try connection.number("SELECT count(*) FROM t")
            try connection.run("INSERT INTO t VALUES (?)", [count])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await queue.run { try $0.rows("SELECT x FROM t ORDER BY rowid") { $0.number(0) } } == Array(0..<50))
  }

  @Test func run_whenBodyThrows_throwsItsError() async throws {
    struct Stop: Error {}
    await #expect(throws: Stop.self) { try await queue.run { _ -> Void in throw Stop() } }
    #expect(try await count() == 0)
  }

  @Test func run_whenTaskIsCancelledBefore_doesNotBegin() async throws {
    let task = Task { [queue] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.run { _ in _ = Issue.record("the cancelled call began") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func run_whenTaskIsCancelledDuringStatement_interruptsIt() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [queue] in
      try await queue.run { connection in
        begin.finish()
        return try connection.number(Self.endless)
      }
    }
    for await _ in begun {}
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try await count() == 0)
  }

  @Test func transaction_whenTaskIsCancelledBetweenStatements_rollsBack() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let cancelled = Mutex(false)
    let task = Task { [queue] in
      try await queue.transaction(.immediate) { connection in
        try connection.run("INSERT INTO t VALUES (1)")
        begin.finish()
        while !cancelled.withLock({ $0 }) {}
      }
    }
    for await _ in begun {}
    task.cancel()
    cancelled.withLock { $0 = true }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await count() == 0)
  }
}
