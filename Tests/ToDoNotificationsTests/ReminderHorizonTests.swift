import Testing
import ToDoModel

@testable import ToDoNotifications

/// The earliest reminders in a list.
@Suite struct ReminderHorizonTests {
  private var horizon = ReminderHorizon(schedule: ReminderSchedule { _ in UTC() }, limit: 3)

  private func id(_ number: UInt64) -> ItemID { ItemID(high: 1, low: number) }

  private func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }

  private func item(_ number: UInt64, at times: Int64..., revision: Int64 = 1) -> ToDoItem {
    ToDoItem(
      id: id(number), number: ItemNumber(Int64(number)),
      content: ItemContent(title: "a", reminders: times.map { Reminder(.time(time($0))) }), createdAt: time(0),
      updatedAt: time(0), revision: Revision(revision))
  }

  private func due(at now: Int64) -> [ItemID] { horizon.dueItems(at: time(now)) }

  @Test mutating func items_areDueInTheOrderOfTheirEarliestReminders() {
    horizon.apply(.snapshotPage([item(1, at: 30, 9), item(2, at: 5), item(3)]))
    #expect(!horizon.isComplete)
    horizon.apply(.snapshotEnd(Revision(1)))
    #expect(horizon.isComplete && horizon.nextTime == time(5) && horizon.count == 2)
    #expect(due(at: 4).isEmpty && due(at: 9) == [id(2), id(1)])
  }

  @Test mutating func changes_replaceAndRemoveItems() {
    horizon.apply(.snapshotPage([item(1, at: 5), item(2, at: 6)]))
    horizon.apply(.snapshotEnd(Revision(1)))
    let deletion = ItemDeletion(id: id(2), wasDone: false, revision: Revision(3), deletedAt: time(0))
    horizon.apply(.changes(ChangeSet(revision: Revision(2), changes: [.put(item(1, at: 8), .edited)])))
    horizon.apply(.changes(ChangeSet(revision: Revision(3), changes: [.deleted(deletion)])))
    #expect(due(at: 7).isEmpty && due(at: 8) == [id(1)])
    var done = item(1, at: 8)
    done.completedAt = time(0)
    horizon.put(done)
    #expect(horizon.nextTime == nil && !horizon.isExhausted)
  }

  @Test mutating func formerState_doesNotReplaceALaterOne() {
    horizon.apply(.snapshotPage([item(1, at: 5)]))
    horizon.apply(.snapshotEnd(Revision(1)))
    horizon.put(item(1, at: 9, revision: 3))
    horizon.put(item(1, revision: 2))
    #expect(horizon.nextTime == time(9))
    horizon.put(item(1, revision: 4))
    #expect(horizon.nextTime == nil)
  }

  @Test mutating func items_beyondTheLimit_areLeftOut_untilTheListIsReadAgain() {
    horizon.apply(.snapshotPage((1...100).map { item($0, at: Int64(200 - $0)) }))
    horizon.apply(.snapshotEnd(Revision(1)))
    #expect(horizon.count == 3)
    #expect(due(at: 1_000) == [id(100), id(99), id(98)])
    // One that was left out becomes the earliest, and one that was held moves behind them.
    horizon.put(item(1, at: 50))
    horizon.put(item(100, at: 400))
    #expect(due(at: 1_000) == [id(1), id(99)])
    #expect(!horizon.isExhausted)
    horizon.remove(id(1))
    horizon.remove(id(99))
    #expect(horizon.isExhausted && horizon.nextTime == nil)
    horizon.apply(.restarted)
    #expect(!horizon.isExhausted && !horizon.isComplete)
  }

  @Test mutating func items_withEqualTimes_areToldWithoutLoss() {
    var told: Set<ItemID> = []
    let items = (1...10).map { item($0, at: 7) }
    for _ in 1...10 where told.count < 10 {
      horizon.apply(.restarted)
      horizon.apply(.snapshotPage(items.filter { !told.contains($0.id) }))
      horizon.apply(.snapshotEnd(Revision(1)))
      for id in due(at: 7) {
        told.insert(id)
        horizon.remove(id)
      }
    }
    #expect(told.count == 10)
  }
}
