#if PostgreSQL
import ToDoPostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

struct PostgreSQLReaderChangeTests {
  /// The states of a list: items are added in revision 1, changed, deleted and restored.
  private struct History {
    let sets: [ChangeSet]

    /// - Parameter count: the number of items of the first revision.
    init(in database: ReadingDatabase, count: UInt64 = 3) throws {
      let added = (1...count).map { History.item($0, "Added \($0)", 1) }
      let edited = History.item(1, "Edited", 2)
      let restored = History.item(2, "Added 2", 4)
      let again = History.item(1, "Edited again", 5)
      let deletions = [
        History.deletion(.sample(2), revision: 3, wasDone: true), History.deletion(.sample(3), revision: 6),
      ]
      for item in added { try database.write(.put(item, .added)) }
      let origin = ChangeOrigin(user: "ann", client: "todo/1", reverted: Revision(1))
      try database.write(.put(edited, .edited), former: added[0], by: origin)
      try database.write(deletions[0], former: added[1])
      try database.write(.put(restored, .restored))
      try database.write(.put(again, .located), former: edited)
      try database.write(deletions[1], former: added[2])
      var kept = added[2]
      kept.revision = Revision(6)
      kept.deletion = ToDoItem.Deletion(deletedAt: .sample(6), expiresAt: .sample(100))
      for item in [again, restored, kept] + added.dropFirst(3) { try database.write(item) }
      try database.setRevision(6)
      sets =
        [ChangeSet(revision: Revision(1), changes: added.map { .put($0, .added) })]
        + [.put(edited, .edited), deletions[0], .put(restored, .restored), .put(again, .located), deletions[1]].map {
          ChangeSet(revision: $0.revision, changes: [$0], user: $0.revision == edited.revision ? "ann" : "")
        }
    }

    private static func item(_ id: UInt64, _ title: String, _ revision: Int64) -> ToDoItem {
      var item = ToDoItem.sample(id, title: title)
      item.number = ItemNumber(Int64(id))
      item.revision = Revision(revision)
      item.updatedAt = .sample(revision)
      return item
    }

    private static func deletion(_ id: ItemID, revision: Int64, wasDone: Bool = false) -> ItemChange {
      .deleted(
        ItemDeletion(id: id, wasDone: wasDone, revision: Revision(revision), deletedAt: .sample(revision)))
    }
  }

  @Test func changes_containTheStateAfterEachChange() throws {
    let database = try ReadingDatabase()
    let (history, reader) = (try History(in: database), try database.reader())
    for after in 0...6 as ClosedRange<Int64> {
      let listing = try reader.changes(ChangeSelection(after: Revision(after), limit: .max), of: .local)
      #expect(listing == ChangeListing(sets: Array(history.sets.dropFirst(Int(after))), revision: Revision(6)))
    }
  }

  @Test func changes_whenLimitIsReached_endWithAWholeRevision() throws {
    let database = try ReadingDatabase()
    let (history, reader) = (try History(in: database, count: 700), try database.reader())
    for (limit, count) in [(1, 1), (699, 1), (700, 1), (701, 2), (704, 5), (705, 6), (706, 6)] {
      let selection = ChangeSelection(after: .initial, limit: limit)
      #expect(try reader.changes(selection, of: .local).sets == Array(history.sets.prefix(count)), "\(limit)")
    }
    let small = ChangeSelection(after: Revision(1), limit: 10, sizeLimit: 6)
    #expect(try reader.changes(small, of: .local).sets.map(\.revision.number) == [2])
  }

  @Test func changes_outsideOfTheRetainedOnes_areRejected() throws {
    let database = try ReadingDatabase()
    _ = try History(in: database)
    let reader = try database.reader()
    try database.setRevision(6, floor: 2)
    #expect(throws: ToDoError.revisionCompacted(oldest: Revision(2))) {
      try reader.changes(ChangeSelection(after: Revision(1), limit: 1), of: .local)
    }
    #expect(throws: ToDoError.revisionInFuture(current: Revision(6))) {
      try reader.changes(ChangeSelection(after: Revision(7), limit: 1), of: .local)
    }
    #expect(try reader.changes(ChangeSelection(after: Revision(2), limit: 1), of: .local).sets.count == 1)
    #expect(reader.isUsable)
  }

  @Test func history_containsTitlesAndOrigins() throws {
    let database = try ReadingDatabase()
    _ = try History(in: database)
    let revisions = try database.reader().history(HistorySelection(limit: .max), of: .local).revisions
    #expect(revisions.map(\.revision.number) == [6, 5, 4, 3, 2, 1])
    let titles = revisions.map { $0.changes.map(\.title) }
    #expect(
      titles == [
        ["Added 3"], ["Edited again"], ["Added 2"], ["Added 2"], ["Edited"], ["Added 1", "Added 2", "Added 3"],
      ])
    #expect(revisions.map { $0.changes.map(\.number?.value) } == [[3], [1], [2], [2], [1], [1, 2, 3]])
    #expect(revisions.map { $0.changes[0].kind }.prefix(4) == [.deleted, .put(.located), .put(.restored), .deleted])
    #expect(revisions[4].origin == ChangeOrigin(user: "ann", client: "todo/1", reverted: Revision(1)))
    #expect(revisions[5].origin == ChangeOrigin())
    #expect(revisions.map(\.time) == [6, 5, 4, 3, 2, 1].map { .sample($0) })
  }

  @Test func history_ofItem_containsOnlyItsChanges() throws {
    let database = try ReadingDatabase()
    _ = try History(in: database)
    let reader = try database.reader()
    func revisions(_ id: UInt64, before: Int64? = nil, limit: Int = 10) throws -> [Int64] {
      let selection = HistorySelection(before: before.map { Revision($0) }, item: .sample(id), limit: limit)
      return try reader.history(selection, of: .local).revisions.map(\.revision.number)
    }
    #expect(try revisions(1) == [5, 2, 1])
    #expect(try revisions(1, before: 5, limit: 1) == [2])
    #expect(try revisions(2) == [4, 3, 1])
    #expect(try revisions(9) == [])
    try database.setRevision(6, floor: 2)
    #expect(try revisions(1) == [5])
    let retained = try reader.history(HistorySelection(limit: 10), of: .local).revisions
    #expect(retained.map(\.revision.number) == [6, 5, 4, 3])
  }

  @Test func history_ofManyChanges_isReadInSeveralChunks() throws {
    let database = try ReadingDatabase()
    _ = try History(in: database, count: 1_300)
    let reader = try database.reader()
    for limit in [1, 5, 6, 2_000] {
      let listing = try reader.history(HistorySelection(limit: limit), of: .local)
      #expect(listing.revisions.count == min(limit, 6))
      #expect(listing.hasMore == (limit < 6))
    }
    let last = try #require(try reader.history(HistorySelection(limit: 6), of: .local).revisions.last)
    #expect(last.changeCount == 1_300)
    #expect(last.changes.map(\.title) == (1...100).map { "Added \($0)" })
  }
}
#endif
