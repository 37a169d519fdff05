import Testing

@testable import ToDoModel
@testable import ToDoRules

@Suite struct FeedTailTests {
  private func set(_ revision: Int64, changes count: Int = 1) -> ChangeSet {
    let changes = (0..<count).map { index in
      ItemChange.deleted(
        ItemDeletion(
          id: ItemID(high: UInt64(revision), low: UInt64(index)), wasDone: false, revision: Revision(revision),
          deletedAt: Timestamp(microseconds: 0)))
    }
    return ChangeSet(revision: Revision(revision), changes: changes)
  }

  private func tail(after floor: Int64, _ revisions: ClosedRange<Int64>, limit: Int = 100) -> FeedTail {
    var tail = FeedTail(after: Revision(floor), limit: limit)
    for revision in revisions { tail.append([ReversibleChanges(set(revision))]) }
    return tail
  }

  @Test func read_whenTailIsEmpty_isBehindBeforeFloorOnly() {
    let tail = FeedTail(after: Revision(5), limit: 100)
    #expect(tail.head == Revision(5))
    #expect(tail.read(after: Revision(5)) == .upToDate)
    #expect(tail.read(after: Revision(4)) == .behind)
  }

  @Test func read_afterEachSet_returnsNextUntilUpToDate() {
    let tail = tail(after: 5, 6...9)
    for revision in Int64(5)..<9 { #expect(tail.read(after: Revision(revision)) == .next(set(revision + 1))) }
    #expect(tail.read(after: Revision(9)) == .upToDate)
  }

  @Test func read_whenAheadOfTail_isUpToDate() {
    #expect(tail(after: 0, 1...3).read(after: Revision(7)) == .upToDate)
  }

  @Test func append_whenBeyondTwiceLimit_dropsEarliest() {
    let tail = tail(after: 0, 1...21, limit: 10)
    #expect(tail.floor == Revision(11))
    #expect(tail.entries.count == 10)
    #expect(tail.read(after: Revision(10)) == .behind)
    #expect(tail.read(after: Revision(11)) == .next(set(12)))
  }

  @Test func append_upToTwiceLimit_retainsAll() {
    #expect(tail(after: 0, 1...20, limit: 10).floor == .initial)
  }

  @Test func append_whenLatestSetIsLarge_retainsIt() {
    var tail = tail(after: 0, 1...5, limit: 10)
    tail.append([ReversibleChanges(set(6, changes: 100))])
    #expect(tail.floor == Revision(5))
    #expect(tail.read(after: Revision(5)) == .next(set(6, changes: 100)))
  }

  @Test func append_whenSetsAreLarge_dropsEarliestToHalfSize() {
    let size = ReversibleChanges(set(1, changes: 10)).size
    var tail = FeedTail(after: .initial, limit: 10_000)
    for revision in Int64(1)...8 {
      tail.append([ReversibleChanges(set(revision, changes: 10))], sizeLimit: 8 * size)
    }
    #expect(tail.floor == .initial)
    tail.append([ReversibleChanges(set(9, changes: 10))], sizeLimit: 8 * size)
    #expect(tail.floor == Revision(5))
    #expect(tail.size == 4 * size)
  }

  @Test func append_whenRevisionsAreMissing_appendsNothing() {
    var tail = tail(after: 0, 1...3)
    let isAppended = tail.append([ReversibleChanges(set(5))])
    #expect(!isAppended)
    #expect(tail.head == Revision(3))
  }

  @Test func append_whenSetsExist_skipsThem() {
    var tail = tail(after: 0, 1...3)
    let isAppended = tail.append((2...4).map { ReversibleChanges(set($0)) })
    #expect(isAppended)
    #expect(tail.entries.map(\.set.revision.number) == [1, 2, 3, 4])
  }

  @Test func entries_afterDroppedRevision_isNil() {
    let tail = tail(after: 5, 6...9)
    #expect(tail.entries(after: Revision(4), through: Revision(9)) == nil)
    #expect(tail.entries(after: Revision(6), through: Revision(8))?.map(\.set.revision.number) == [7, 8])
    #expect(tail.entries(after: Revision(9), through: Revision(9))?.isEmpty == true)
  }
}
