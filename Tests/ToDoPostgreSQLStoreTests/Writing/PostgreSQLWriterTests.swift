#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoTestPostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

/// Groups of writes against a database.
struct PostgreSQLWriterTests {
  private struct Refusal: Error {}

  private static func reads(_ numbers: [UInt64], titles: [String] = []) -> ItemReads {
    ItemReads(
      ids: numbers.map(ItemID.sample),
      fingerprints: titles.map { ContentFingerprint(of: ItemContent(title: $0)) })
  }

  @Test func commit_whenReadsAreDeclared_needsNoFurtherRead() throws {
    let database = try WriterDatabase()
    let content = ItemContent(title: "Same")
    let errors = try database.commit(
      (1...8 as ClosedRange<UInt64>).map { number in
        WriterDatabase.Write(reading: Self.reads([number], titles: ["Same"])) { transaction in
          #expect(try transaction.record(of: .sample(number)) == .absent)
          let match = try transaction.incompleteItem(matching: ContentFingerprint(of: content))
          #expect(match == (number == 1 ? nil : .sample(number - 1)) || match == .sample(1))
          try transaction.add(.sample(number, title: "Same"))
        }
      })
    #expect(errors.allSatisfy { $0 == nil })
    #expect(database.observer.undeclaredReads == 0)
    #expect(try database.read { try $0.itemCount } == 8)
    #expect(try database.countsAreConsistent())
  }

  @Test func commit_whenAnotherVersionHasMigrated_changesNothing() throws {
    let database = try WriterDatabase()
    try database.commit { transaction in
      try transaction.add(.sample(1))
      let lookup = PendingLookup(owner: .local, item: .sample(1), address: "Here", attempts: 1, due: .sample(1))
      try transaction.setPendingLookup(of: .sample(1), lookup)
    }
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    try connection.execute("UPDATE todo_store SET version = version + 1")
    for owner in [.local, OwnerID("new")] {
      #expect(throws: ToDoError.schemaChanged) { try database.commit(owner) { try $0.add(.sample(2)) } }
    }
    #expect(try database.number("SELECT count(*) FROM item") == 1)
    #expect(try database.number("SELECT count(*) FROM list") == 1)
    #expect(try claimedCount(database) == 0)
    try connection.execute("UPDATE todo_store SET version = version - 1")
    #expect(try database.commit { try $0.add(.sample(2)) } == nil)
    #expect(try claimedCount(database) == 1)
  }

  @Test func commit_whenFingerprintKeyHasChanged_changesNothing() throws {
    let database = try WriterDatabase()
    try database.commit { try $0.add(.sample(1)) }
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    try connection.execute("UPDATE todo_store SET fingerprint_key = '0123456789abcdef'")
    for owner in [.local, OwnerID("new")] {
      #expect(throws: ToDoError.storeReplaced) { try database.commit(owner) { try $0.add(.sample(2)) } }
    }
    #expect(try database.number("SELECT count(*) FROM item") == 1)
    #expect(try database.number("SELECT count(*) FROM list") == 1)
  }

  /// Returns the number of due lookups that the writer claims.
  private func claimedCount(_ database: WriterDatabase) throws -> Int {
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    let group = PostgreSQLWriteGroup(on: connection, turn: BodyTurn(), fingerprintKey: [])
    return try group.claimPendingLookups(dueBy: .sample(9), until: .sample(99), limit: 10).count
  }

  @Test func commit_whenReadsAreNotDeclared_countsThem() throws {
    let database = try WriterDatabase()
    try database.commit { transaction in
      for number in 1...2 { _ = try transaction.record(of: .sample(UInt64(number))) }
    }
    #expect(database.observer.undeclaredReads == 2)
  }

  @Test func commit_whenMatchOfServerWasChanged_findsAnotherItem() throws {
    let database = try WriterDatabase()
    try database.commit { transaction in
      for number in 1...3 { try transaction.add(.sample(UInt64(number), title: "Same")) }
    }
    let reads = Self.reads([1, 2, 3], titles: ["Same"])
    let fingerprint = ContentFingerprint(of: ItemContent(title: "Same"))
    let deletions = (1...3).map { _ in
      WriterDatabase.Write(reading: reads) { transaction in
        let match = try #require(try transaction.incompleteItem(matching: fingerprint))
        try transaction.delete(match, at: .sample(), restorableUntil: nil)
      }
    }
    let last = WriterDatabase.Write(reading: reads) { transaction in
      let match = try transaction.incompleteItem(matching: fingerprint)
      #expect(match == nil)
    }
    #expect(try database.commit(deletions + [last]).allSatisfy { $0 == nil })
    #expect(try database.read { try $0.itemCount } == 0)
    #expect(try database.countsAreConsistent())
  }

  @Test func commit_whenBodyThrowsAfterStatement_undoesOnlyThatBody() throws {
    let database = try WriterDatabase()
    try database.commit { transaction in for number in 1...4 { try transaction.add(.sample(UInt64(number))) } }
    let errors = try database.commit([
      WriterDatabase.Write { try $0.replace(.sample(1, title: "First")) },
      WriterDatabase.Write { try $0.add(.sample(5)) },
      WriterDatabase.Write { transaction in
        try transaction.replace(.sample(2, title: "Lost"))
        #expect(try transaction.delete(.all, at: .sample(), restorableUntil: .sample(9)) == 5)
        #expect(try transaction.record(of: .sample(3)) == .deleted)
        try transaction.add(.sample(6))
        throw Refusal()
      },
      WriterDatabase.Write { transaction in
        #expect(try transaction.itemCount == 5)
        #expect(try transaction.revision == Revision(4))
        try transaction.replace(.sample(5, title: "Later"))
        try transaction.compactChanges()
        throw Refusal()
      },
      WriterDatabase.Write { try $0.replace(.sample(3, title: "Last")) },
    ])
    #expect(errors.map { $0 is Refusal } == [false, false, true, true, false])
    let titles = try database.read { transaction in
      try (1...6 as ClosedRange<UInt64>).map { number -> String? in
        if case .present(let item, _) = try transaction.record(of: .sample(number)) { item.title } else { nil }
      }
    }
    #expect(titles == ["First", "Item 2", "Last", "Item 4", "Item 5", nil])
    #expect(try database.read { try $0.revision } == Revision(5))
    #expect(try database.number("SELECT count(*) FROM change") == 7)
    #expect(try database.countsAreConsistent())
  }

  @Test func commit_whenBodyReturnsAfterStatement_keepsItsChangesAndLaterOnes() throws {
    let database = try WriterDatabase()
    try database.commit { transaction in
      for number in 1...4 as ClosedRange<UInt64> {
        try transaction.add(.sample(number, completed: number % 2 == 0 ? 1 : nil))
      }
    }
    let errors = try database.commit([
      WriterDatabase.Write { try $0.replace(.sample(1, title: "First").completed(at: .sample()), .checked) },
      WriterDatabase.Write { transaction in
        try transaction.replace(.sample(4, title: "Second", completed: 3))
        #expect(try transaction.delete(.done, at: .sample(), restorableUntil: .sample(9)) == 3)
        try transaction.add(.sample(5))
      },
      WriterDatabase.Write { transaction in
        #expect(try transaction.deletedItem(.sample(4))?.title == "Second")
        let ids = ([1, 2, 4, 5] as [UInt64]).map(ItemID.sample)
        #expect(try transaction.changes(of: Revision(3), after: nil, limit: 9).map(\.change.id) == ids)
        #expect(try transaction.removeDeletedItems(limit: 2) == 2)
        try transaction.replace(.sample(3, title: "Third"))
      },
    ])
    #expect(errors.allSatisfy { $0 == nil })
    #expect(try database.read { try $0.revision } == Revision(5))
    #expect(try database.read { try $0.itemCount } == 2)
    #expect(try database.countsAreConsistent())
  }

  @Test func restore_whenBulkDeletionOfSameWriteDeletedItem_recordsOneChange() throws {
    let database = try WriterDatabase()
    try database.commit { transaction in for number in 1...2 { try transaction.add(.sample(UInt64(number))) } }
    let error = try database.commit { transaction in
      _ = try transaction.delete(.all, at: .sample(), restorableUntil: .sample(9))
      for number in 1...2 as ClosedRange<UInt64> {
        var item = try #require(try transaction.deletedItem(.sample(number)))
        item.deletion = nil
        item.revision = try transaction.revision
        try transaction.restore(item, fingerprint: ContentFingerprint(of: item.content))
      }
    }
    #expect(error == nil)
    #expect(
      try database.number("SELECT count(*) FROM change WHERE revision = 2 AND former_revision = 1 AND cause = 5") == 2
    )
    #expect(try database.countsAreConsistent())
  }

  @Test func commit_whenConnectionWasLost_repeatsGroup() throws {
    let database = try WriterDatabase()
    try database.commit { try $0.add(.sample(1)) }
    try PrivatePostgreSQL.run().terminateConnections(of: database.uri)
    #expect(try database.commit { try $0.add(.sample(2)) } == nil)
    let runs = Mutex(0)
    let uri = database.uri
    try database.commit { transaction in
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      try transaction.add(.sample(3))
      if run == 1 { try PrivatePostgreSQL.run().terminateConnections(of: uri) }
      #expect(try transaction.record(of: .sample(9)) == .absent)
    }
    #expect(runs.withLock { $0 } == 2)
    #expect(try database.read { try $0.itemCount } == 3)
    #expect(try database.countsAreConsistent())
  }

  @Test func commit_whenConnectionIsLostBeforeCommit_resolvesOutcomeAndRepeats() throws {
    let database = try WriterDatabase()
    let runs = Mutex(0)
    let uri = database.uri
    // The connection is lost after the last read, so that the writer notices it with the commit.
    #expect(
      try database.commit { transaction in
        try transaction.add(.sample(1))
        let run = runs.withLock { runs in
          runs += 1
          return runs
        }
        if run == 1 { try PrivatePostgreSQL.run().terminateConnections(of: uri) }
      } == nil)
    #expect(runs.withLock { $0 } == 2)
    #expect(try database.number("SELECT count(*) FROM change") == 1)
    #expect(try database.countsAreConsistent())
  }

  @Test func commit_afterClose_throws() throws {
    let database = try WriterDatabase()
    database.writer.close()
    #expect(throws: ToDoError.self) { try database.commit { try $0.add(.sample(1)) } }
  }

  @Test func commit_whenTextContainsNUL_storesReplacement() throws {
    let database = try WriterDatabase()
    let error = try database.commit { transaction in
      transaction.attribute(to: ChangeOrigin(user: "ann", client: "a\0b"))
      try transaction.add(.sample(1))
    }
    #expect(error == nil)
    #expect(
      try database.number("SELECT count(*) FROM change WHERE client = U&'a\\FFFDb' AND changed_by = 'ann'") == 1)
  }

  @Test func payload_whenListsAreMany_isWildcard() {
    let owners = ["ann", "bob"].map(OwnerID.init)
    #expect(PostgreSQLWriteGroup.payload(of: owners, serverID: "7") == "7\nann\nbob")
    let many = (0..<900).map { OwnerID("list \($0)") }
    #expect(PostgreSQLWriteGroup.payload(of: many, serverID: "7") == "7\n*")
  }
}
#endif
