import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

/// The commits and the evidence of a list.
struct ListStateCommitTests {
  @Test func commit_whenSeveralWritesChangedList_listsRevisionsWithReplacedItems() throws {
    var state = ListState(ListCounters())
    state.write { write in
      write.add(2, "two")
      write.add(1, "one")
    }
    state.edit(1, "eleven")
    let commit = try #require(state.ledger.commit(of: .local))
    #expect(commit.revision == Revision(2))
    #expect(commit.changes.map(\.set.revision.number) == [1, 2])
    #expect(commit.changes.map { $0.set.changes.map(\.id) } == [[.sample(1), .sample(2)], [.sample(1)]])
    #expect(commit.changes.map { $0.replaced?.map(\.title) } == [[], ["one"]])
  }

  @Test(arguments: [1_000, 1_001])
  func commit_whenMoreThan1000ItemsChanged_listsNone(count: UInt64) throws {
    var state = ListState(ListCounters())
    state.write { write in for number in 0..<count { write.add(number, "\(number)") } }
    #expect(try #require(state.ledger.commit(of: .local)).changes.count == (count > 1_000 ? 0 : 1))
  }

  @Test func commit_afterBulkDeletion_listsNone() throws {
    var state = ListState(ListCounters(revision: Revision(4), itemCount: 7))
    state.write { write in
      write.ledger.countBulkDeletion(of: 7, size: 7 * StoredSize.row, formerSize: 0, isKept: true, at: .sample())
      write.ledger.endBulkDeletion(.sample(1, revision: 5), at: .sample())
    }
    let commit = try #require(state.ledger.commit(of: .local))
    #expect(commit.revision == Revision(5))
    #expect(commit.changes.isEmpty)
    #expect(state.ledger.row.itemCount == 0)
    #expect(state.ledger.row.byteCount == 7 * StoredSize.deletion)
    #expect(state.ledger.evidence == [.deleted(.sample(1, revision: 5))])
  }

  @Test func evidence_whenChangesAreCompacted_omitsThem() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "one") }
    state.write { write in
      write.ledger.row.floor = write.ledger.row.revision
      write.add(2, "two")
    }
    #expect(state.ledger.evidence.map(\.id) == [.sample(2)])
  }

  @Test(arguments: [(62, false), (63, true), (64, false)] as [(Int64, Bool)])
  func isCompactionDue_isTrueAtMultiplesOf64(revision: Int64, isDue: Bool) {
    var state = ListState(ListCounters(revision: Revision(revision)))
    state.write { $0.add(1, "one") }
    #expect(state.ledger.isCompactionDue == isDue)
  }
}
