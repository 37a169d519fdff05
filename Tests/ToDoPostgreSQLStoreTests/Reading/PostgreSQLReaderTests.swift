#if PostgreSQL
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct PostgreSQLReaderTests {
  private let ann = OwnerID("ann")
  private let bob = OwnerID("日本 ';--")

  @Test func items_ofSeveralLists_areInTheOrderOfTheIDs() throws {
    let database = try ReadingDatabase()
    let (mine, theirs) = (ToDoItem.sample(1, title: "Mine"), ToDoItem.sample(1, title: "Theirs"))
    try database.write(mine, of: ann)
    try database.write(theirs, of: bob)
    var kept = ToDoItem.sample(2)
    kept.deletion = ToDoItem.Deletion(deletedAt: .sample(), expiresAt: .sample(5))
    try database.write(kept, of: ann)
    try database.reserve(.sample(3), of: ann)
    let reader = try database.reader()
    let ids = [(bob, 1), (ann, 2), (ann, 3), (ann, 1), (ann, 4), (ann, 1)] as [(OwnerID, UInt64)]
    let found = try reader.items(ids.map { (owner: $0, id: .sample($1)) })
    #expect(found == [theirs, nil, nil, mine, nil, mine])
    for (key, item) in zip(ids, found) { #expect(try reader.item(.sample(key.1), of: key.0) == item) }
    #expect(try reader.items([]) == [])
  }

  @Test func items_whenOneCannotBeDecoded_doesNotAffectTheOthers() throws {
    let database = try ReadingDatabase()
    try database.write(.sample(1))
    try database.write(.sample(2))
    try database.connection.execute("UPDATE item SET content = '\\x02' WHERE id = '\(ItemID.sample(1))'")
    let results = try database.reader().results(of: [1, 2].map { (owner: .local, id: .sample($0)) })
    #expect(throws: ToDoError.self) { try results[0].get() }
    #expect(try results[1].get() == .sample(2))
  }

  @Test func read_whenConnectionIsLost_isRepeated() throws {
    let database = try ReadingDatabase()
    try database.write(.sample(1))
    let reader = try database.reader()
    #expect(try reader.item(.sample(1), of: .local) != nil)
    try PrivatePostgreSQL.run().terminateConnections(of: database.uri)
    #expect(try reader.listing(ItemSelection(limit: 10), of: .local).items.count == 1)
    #expect(reader.isUsable)
  }

  @Test func batch_withoutBegin_seesOneMomentAndCannotWrite() throws {
    let reader = try ReadingDatabase().reader()
    let sql: SQL = "SELECT now()::text, current_setting('transaction_isolation')"
    let rows = try reader.connection.send([BoundStatement(sql), BoundStatement("SELECT 1"), BoundStatement(sql)])
    #expect(rows[0].text(0, 0) == rows[2].text(0, 0))
    #expect(rows[0].text(0, 1) == "repeatable read")
    #expect(throws: PostgreSQLError.self) { try reader.connection.execute("DELETE FROM item") }
  }

  @Test func lookups_whenConcurrent_returnTheItemOfEachID() async throws {
    let database = try ReadingDatabase()
    for number in 0..<50 as Range<UInt64> { try database.write(.sample(number), of: number % 2 == 0 ? ann : bob) }
    let (settings, ann, bob) = (database.settings, ann, bob)
    let lookups = ItemLookups { try PostgreSQLReader(settings) }
    try await withThrowingTaskGroup { group in
      for number in 0..<400 as Range<UInt64> {
        group.addTask {
          let (id, owner) = (number % 100, number % 3 == 0 ? ann : bob)
          let item = try await lookups.item(.sample(id), of: owner)
          let exists = id < 50 && (id % 2 == 0) == (owner == ann)
          #expect(item == (exists ? .sample(id) : nil))
        }
      }
      try await group.waitForAll()
    }
    try PrivatePostgreSQL.run().terminateConnections(of: database.uri)
    #expect(try await lookups.item(.sample(0), of: ann) == .sample(0))
    await lookups.close()
    await #expect(throws: ToDoError.storeClosed) { try await lookups.item(.sample(1), of: .local) }
  }

  @Test func lookups_whenDatabaseIsMissing_throwStoreUnavailable() async throws {
    let settings = ConnectionSettings("host=/nonexistent dbname=none")
    let lookups = ItemLookups { try PostgreSQLReader(settings) }
    await #expect(throws: ToDoError.self) { try await lookups.item(.sample(1), of: .local) }
    await lookups.close()
  }
}
#endif
