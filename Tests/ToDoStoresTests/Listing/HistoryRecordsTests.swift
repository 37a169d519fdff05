import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@Suite struct HistoryRecordsTests {
  private let origin = ChangeOrigin(user: "ann")

  private func change(_ number: Int) -> RecordedChange {
    RecordedChange(item: .sample(UInt64(number)), number: nil, title: "Item \(number)", kind: .deleted)
  }

  /// Adds the changes of a revision, the last one first.
  private func add(_ count: Int, of revision: Int64, to records: inout HistoryRecords) -> Bool {
    (1...count).reversed().allSatisfy { number in
      records.add(
        change(number), of: Revision(revision), at: Timestamp(microseconds: Int64(number)), by: { origin })
    }
  }

  @Test(arguments: [1, 2, 99, 100, 101, 199, 200, 201, 1_000])
  func listing_whateverTheNumberOfChanges_hasTheFirstOnesByID(count: Int) {
    var records = HistoryRecords(limit: 10_000)
    #expect(add(count, of: 8, to: &records))
    #expect(add(1, of: 7, to: &records))
    let listing = records.listing
    #expect(listing.revisions.map(\.revision) == [Revision(8), Revision(7)])
    #expect(listing.revisions[0].changes == (1...min(count, 100)).map(change))
    #expect(listing.revisions[0].changeCount == count)
    #expect(listing.revisions[0].time == Timestamp(microseconds: 1))
    #expect(listing.revisions.allSatisfy { $0.origin == origin && !$0.isOwn })
    #expect(!listing.hasMore)
  }

  @Test func add_whenLimitIsReached_completesTheRevisionAndBeginsNoOther() {
    var records = HistoryRecords(limit: 3)
    #expect(add(2, of: 9, to: &records))
    #expect(add(5, of: 8, to: &records))
    #expect(!add(1, of: 7, to: &records))
    let listing = records.listing
    #expect(listing.revisions.map(\.changeCount) == [2, 5])
    #expect(listing.hasMore)
  }

  @Test func listing_ofNoChanges_isEmpty() {
    var records = HistoryRecords(limit: 3)
    #expect(records.listing == HistoryListing(revisions: [], hasMore: false))
  }
}
