import Testing
import ToDoModel
import ToDoTestScreens

@testable import todo

/// What a watch says about items with reminders.
@Suite struct ReminderBoardTests {
  private var board = ReminderBoard(schedule: ReminderSchedule { _ in CentralEuropeanZone() })

  private func item(_ number: UInt64, at times: Int64..., revision: Int64 = 1) -> ToDoItem {
    ToDoItem(
      id: TestBench.id(number), number: ItemNumber(Int64(number)),
      content: ItemContent(title: "a", reminders: times.map { Reminder(.time(Timestamp(microseconds: $0))) }),
      createdAt: TestBench.start, updatedAt: TestBench.start, revision: Revision(revision))
  }

  private func due(at microseconds: Int64) -> [ItemID] {
    board.dueItems(at: Timestamp(microseconds: microseconds)).map(\.id)
  }

  @Test mutating func items_areDueInTheOrderOfTheirTimes() {
    board.apply(.snapshotPage([item(1, at: 9, 30), item(2, at: 5), item(3)]))
    #expect(!board.isComplete)
    board.apply(.snapshotEnd(Revision(1)))
    #expect(board.isComplete && board.count == 3 && board.nextTime == Timestamp(microseconds: 5))
    #expect(due(at: 4).isEmpty && due(at: 9) == [TestBench.id(2), TestBench.id(1)])
  }

  @Test mutating func changes_replaceItems_unlessTheyAreEarlier() {
    board.apply(.snapshotPage([item(1, at: 9, revision: 3), item(2, at: 9)]))
    board.put(item(1, at: 5, revision: 2))
    #expect(due(at: 5).isEmpty)
    let deletion = ItemDeletion(id: TestBench.id(2), wasDone: false, revision: Revision(5), deletedAt: TestBench.start)
    board.apply(.changes(ChangeSet(revision: Revision(4), changes: [.put(item(1, at: 5, revision: 4), .edited)])))
    board.apply(.changes(ChangeSet(revision: Revision(5), changes: [.deleted(deletion)])))
    #expect(due(at: 9) == [TestBench.id(1)])
    board.remove(TestBench.id(1))
    #expect(board.count == 0 && board.nextTime == nil)
  }

  @Test mutating func doneItems_andThoseToldOf_areNotDue() {
    var (done, told) = (item(1, at: 9), item(2, at: 9))
    done.completedAt = TestBench.start
    told.content.reminders[0].acknowledged = Timestamp(microseconds: 9)
    board.apply(.snapshotPage([done, told]))
    #expect(board.count == 0 && due(at: 9).isEmpty)
  }

  @Test mutating func restart_forgetsItems_untilTheSnapshotIsComplete() {
    board.apply(.snapshotPage([item(1, at: 9)]))
    board.apply(.snapshotEnd(Revision(1)))
    board.apply(.restarted)
    #expect(!board.isComplete && board.count == 0)
  }
}
