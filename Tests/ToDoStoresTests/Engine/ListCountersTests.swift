import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

/// The arithmetic of the quota.
struct ListCountersTests {
  private let start = ListCounters(
    revision: Revision(4), floor: Revision(2), itemCount: 2, byteCount: 1_000, lastNumber: ItemNumber(7))

  @Test(arguments: [true, false])
  func countDeletion_whenItemsAreKept_addsOnlyReservedIDs(isKept: Bool) {
    var counters = start
    counters.countDeletion(of: 2, size: 300, isKept: isKept)
    #expect(counters.itemCount == 0)
    #expect(counters.byteCount == 1_000 + 2 * StoredSize.deletedID - (isKept ? 0 : 300))
  }

  @Test func countRecordedDeletions_whenNegative_undoesThem() {
    var counters = start
    counters.countRecordedDeletions(3, formerSize: 0)
    counters.countRecordedDeletions(-3, formerSize: 0)
    #expect(counters == start)
  }

  @Test func hasRoom_atLimit_isTrue() {
    let needed = 1_000 + 300 + 2 * StoredSize.deletion
    #expect(start.hasRoom(forDeletionOf: 2, size: 300, within: needed))
    #expect(!start.hasRoom(forDeletionOf: 2, size: 300, within: needed - 1))
  }

  @Test func checkCanRead_outsideOfRetainedRevisions_throws() throws {
    #expect(throws: ToDoError.revisionCompacted(oldest: Revision(2))) { try start.checkCanRead(Revision(2)) }
    #expect(throws: ToDoError.revisionInFuture(current: Revision(4))) { try start.checkCanRead(Revision(5)) }
    try start.checkCanRead(Revision(3))
    try start.checkCanRead(Revision(4))
  }

  @Test func countRestoration_afterDeletionOfKeptItem_isNoChange() {
    var counters = start
    counters.countDeletion(of: 1, size: 300, isKept: true)
    var item = ToDoItem.sample(1)
    item.revision = counters.nextRevision
    counters.countRestoration(of: item)
    #expect(counters == start)
  }
}
