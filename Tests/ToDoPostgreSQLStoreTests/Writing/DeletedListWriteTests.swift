#if PostgreSQL
import Dispatch
import Testing
import ToDoModel
import ToDoPostgreSQL
import ToDoRules
import ToDoTestPostgreSQL
import ToDoTestSupport

@testable import ToDoPostgreSQLStore
@testable import ToDoStores

/// Writes to a list, and a deletion of the list on another connection at the same time.
@Suite(.timeLimited, .blocking) struct DeletedListWriteTests {
  private let database: WriterDatabase
  private let connection: PostgreSQLConnection
  private let list = ListID()
  private let ann = User.sample("ann")
  private let bob = User.sample("bob")

  init() throws {
    database = try WriterDatabase()
    connection = try StoreConnection.open(database.uri, purpose: "test")
    for user in [ann, bob] { try tables.add(user) }
    _ = try tables.changeLists(of: ann.list) {
      try $0.create(NewList(id: list, name: "Work"), at: .sample(1), limit: 10)
    }
    try database.commit(OwnerID(list)) { try $0.add(.sample(1)) }
  }

  private var tables: PostgreSQLAccountTables { PostgreSQLAccountTables(connection: connection) }

  private func share() throws {
    _ = try tables.changeLists(of: ann.list) { records in
      _ = try records.share(list, with: bob, as: .editor, by: ann.name, at: .sample(2))
      return try records.accept(list, by: bob.list, at: .sample(2))
    }
  }

  private func delete() throws {
    _ = try tables.changeLists(of: ann.list) { try $0.delete(list, at: .sample(3), restorableUntil: .sample(4)) }
  }

  /// Runs a step on a thread of its own, and waits until it is done or awaits a lock.
  private func start<Value: Sendable>(
    _ step: @escaping @Sendable () throws -> Value
  ) async throws -> Condition<Result<Value, any Error>?> {
    let result = Condition<Result<Value, any Error>?>(nil)
    DispatchQueue.global().async {
      let value = Result { try step() }
      result.change { $0 = value }
    }
    let waiting: SQL = """
      SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()
      """
    try await waitUntil("the step waits") { try database.number(waiting) != 0 || result.value != nil }
    return result
  }

  @Test(arguments: [false, true]) func write_thatWaitsForDeletion_isNotMade(_ isShared: Bool) async throws {
    if isShared { try share() }
    try connection.execute("BEGIN")
    try delete()
    let isAvailable = try await start { [database, list] in
      try database.read(OwnerID(list)) { try $0.isListAvailable }
    }
    #expect(isAvailable.value == nil, "the write does not wait for the deletion")
    try connection.execute("COMMIT")
    await isAvailable.wait { $0 != nil }
    #expect(try isAvailable.value?.get() == false)
  }

  @Test func deletion_duringWrite_waitsForIt() async throws {
    let write = try StoreConnection.open(database.uri, purpose: "test")
    try write.execute("BEGIN; SELECT FROM list WHERE name = '\(OwnerID(list).name)' FOR NO KEY UPDATE")
    let uri = database.uri
    let deletion = try await start { [list, ann] in
      let tables = PostgreSQLAccountTables(connection: try StoreConnection.open(uri, purpose: "test"))
      try StoreTransaction.perform(on: tables.connection) {
        _ = try tables.changeLists(of: ann.list) { try $0.delete(list, at: .sample(3), restorableUntil: .sample(4)) }
      }
    }
    #expect(deletion.value == nil, "the deletion does not wait for the write")
    try write.execute("COMMIT")
    await deletion.wait { $0 != nil }
    try deletion.value?.get()
    #expect(try database.read(OwnerID(list)) { try $0.isListAvailable } == false)
  }
}
#endif
