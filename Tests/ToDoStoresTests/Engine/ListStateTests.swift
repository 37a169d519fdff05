import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

/// The state of a list within a transaction, without a database.
struct ListStateTests {
  private let expiry = Timestamp.sample(1_000)

  @Test func apply_whenItemIsInserted_countsItemAndIncrementsRevision() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    #expect(
      state.ledger.row
        == ListCounters(
          revision: Revision(1), floor: .initial, itemCount: 1, byteCount: StoredSize.row + 4,
          lastNumber: ItemNumber(1)))
    #expect(state.pending.items[.sample(1)]?.isNew == true)
    #expect(state.pending.changes.count == 1)
  }

  @Test func apply_whenWriteChangesNothing_preservesRevision() {
    var state = ListState(ListCounters())
    state.write { $0.setLookup(nil, of: .sample(1)) }
    #expect(state.ledger.row == state.ledger.stored)
    #expect(!state.pending.isEmpty)
    #expect(state.ledger.commit(of: .local) == nil)
  }

  @Test func write_whenDropped_hasNoEffect() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    let before = state.ledger.row
    var write = ListWrite(on: state.ledger.row)
    write.delete(1, in: state, until: nil)
    #expect(write.record(of: .sample(1), over: state) == .reserved)
    #expect(state.ledger.row == before)
    #expect(ListWrite(on: state.ledger.row).record(of: .sample(1), over: state) != .reserved)
  }

  @Test func pending_whenNewItemIsUpdatedByLaterWrite_staysNewWithBothChanges() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    state.edit(1, "eleven")
    #expect(state.pending.items[.sample(1)]?.isNew == true)
    #expect(state.pending.items[.sample(1)]?.item.title == "eleven")
    #expect(state.pending.changes.keys.map(\.revision.number).sorted() == [1, 2])
    #expect(state.ledger.row.byteCount == 2 * StoredSize.row + 10)
    let former = state.pending.changes[PendingChange.Key(revision: Revision(2), id: .sample(1))]?.former
    #expect(former?.revision == Revision(1))
    #expect(former?.title == "four")
  }

  @Test func pending_whenRowsWereTaken_marksNoItemAsNew() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    #expect(!state.takePending().isEmpty)
    #expect(state.pending.isEmpty)
    state.edit(1, "eleven")
    #expect(state.pending.items[.sample(1)]?.isNew == false)
    #expect(!state.pending.repeatsChanges)
  }

  @Test func changes_whenWriteChangesItemTwice_containLastWithStateBeforeWrite() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    var write = ListWrite(on: state.ledger.row)
    write.edit(1, "eleven", in: state)
    _ = write.takePending()
    write.edit(1, "one", in: state)
    #expect(write.pending.repeatsChanges)
    state.apply(write)
    #expect(state.ledger.row.revision == Revision(2))
    #expect(state.ledger.row.byteCount == 2 * StoredSize.row + 7)
    let change = state.pending.changes[PendingChange.Key(revision: Revision(2), id: .sample(1))]
    #expect(change?.former?.title == "four")
    #expect(change?.size == StoredSize.row + 4)
  }

  @Test(arguments: [true, false])
  func byteCount_whenItemIsDeleted_countsReservedIDAndDeletion(isKept: Bool) {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    let expiry = isKept ? expiry : nil
    var write = ListWrite(on: state.ledger.row)
    write.delete(1, in: state, until: expiry)
    state.apply(write)
    let kept = isKept ? StoredSize.row + 4 : 0
    #expect(state.ledger.row.byteCount == kept + StoredSize.deletedID + 2 * StoredSize.row + 4)
    #expect(state.ledger.row.itemCount == 0)
  }

  @Test func byteCount_whenStateBeforeDeletionIsCompacted_doesNotCountIt() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    var write = ListWrite(on: state.ledger.row)
    write.ledger.row.floor = state.ledger.row.revision
    write.delete(1, in: state, until: nil)
    state.apply(write)
    #expect(state.ledger.row.byteCount == StoredSize.deletedID + StoredSize.row)
  }

  @Test func byteCount_whenDeletedItemIsRestoredInSameWrite_isThatOfAnEdit() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    var write = ListWrite(on: state.ledger.row)
    write.delete(1, in: state, until: expiry)
    write.restore(1, in: state)
    state.apply(write)
    #expect(state.ledger.row.byteCount == 2 * StoredSize.row + 8)
    #expect(state.ledger.row.itemCount == 1)
    let change = state.pending.changes[PendingChange.Key(revision: Revision(2), id: .sample(1))]
    #expect(change?.former?.revision == Revision(1))
    if case .put(_, .restored)? = change?.change {} else { Issue.record("the change is not a restoration") }
  }

  @Test func byteCount_whenFormerStateDidNotCountBefore_doesNotCountLater() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    var write = ListWrite(on: state.ledger.row)
    write.ledger.row.floor = state.ledger.row.revision
    write.delete(1, in: state, until: expiry)
    write.restore(1, in: state)
    #expect(write.ledger.changes.map(\.size) == [0])
    #expect(write.ledger.row.byteCount == StoredSize.row + 4)
  }

  @Test func byteCount_whenFormerStateCountedBefore_countsLater() {
    var state = ListState(ListCounters())
    state.write { $0.add(1, "four") }
    var write = ListWrite(on: state.ledger.row)
    write.ledger.row.floor = state.ledger.row.revision
    write.edit(1, "eleven", in: state)
    write.delete(1, in: state, until: nil)
    #expect(write.ledger.changes.map(\.size) == [2 * StoredSize.row + 4])
    #expect(write.ledger.row.byteCount == StoredSize.deletedID + 2 * StoredSize.row + 4)
  }

  @Test func incompleteItem_whenChangedItemMatches_isFoundWithoutServer() {
    var state = ListState(ListCounters())
    state.add(nil as ItemID?, for: .sample("four"))
    #expect(ListWrite(on: state.ledger.row).incompleteItem(matching: .sample("four"), over: state) == .some(nil))
    state.write { $0.add(1, "four") }
    #expect(ListWrite(on: state.ledger.row).incompleteItem(matching: .sample("four"), over: state) == .some(.sample(1)))
    var write = ListWrite(on: state.ledger.row)
    write.edit(1, "eleven", in: state)
    #expect(write.incompleteItem(matching: .sample("four"), over: state) == .some(nil))
    #expect(write.incompleteItem(matching: .sample("eleven"), over: state) == .some(.sample(1)))
  }

  @Test func incompleteItem_whenMatchOfServerWasChanged_mustBeReadAgain() {
    var state = ListState(ListCounters(revision: Revision(1), itemCount: 1))
    state.add(.present(.stored(1, "four"), addedAs: nil), of: .sample(1))
    state.add(.sample(1), for: .sample("four"))
    #expect(ListWrite(on: state.ledger.row).incompleteItem(matching: .sample("four"), over: state) == .some(.sample(1)))
    state.edit(1, "eleven")
    #expect(ListWrite(on: state.ledger.row).incompleteItem(matching: .sample("four"), over: state) == nil)
  }

  @Test func incompleteItem_whenItemIsDone_isNotFound() {
    var state = ListState(ListCounters())
    state.add(nil as ItemID?, for: .sample("four"))
    state.write { write in
      var item = ToDoItem.stored(1, "four").completed(at: .sample()).at(write.ledger.revision)
      item.number = write.ledger.row.nextNumber
      write.insert(item, fingerprint: .sample("four"))
    }
    #expect(ListWrite(on: state.ledger.row).incompleteItem(matching: .sample("four"), over: state) == .some(nil))
  }

  @Test func discardRecords_whenApplied_forgetsRecordsAndPreservesLookups() {
    var state = ListState(ListCounters())
    state.write { write in
      write.add(1, "four")
      write.setLookup(nil, of: .sample(1))
    }
    var write = ListWrite(on: state.ledger.row)
    write.discardRecords()
    #expect(write.record(of: .sample(1), over: state) == nil)
    #expect(write.incompleteItem(matching: .sample("four"), over: state) == nil)
    #expect(write.lookup(of: .sample(1), over: state) == .some(nil))
    #expect(ListWrite(on: state.ledger.row).record(of: .sample(1), over: state) != nil)
    state.apply(write)
    #expect(ListWrite(on: state.ledger.row).record(of: .sample(1), over: state) == nil)
    #expect(ListWrite(on: state.ledger.row).lookup(of: .sample(1), over: state) == .some(nil))
  }
}
