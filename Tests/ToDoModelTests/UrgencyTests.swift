import Testing
import ToDoModel

@Suite struct UrgencyTests {
  private static let day: Int64 = 86_400_000_000
  private static let today = CalendarDate(daysSinceEpoch: 20_600)
  private static let now = Timestamp(microseconds: 20_600 * day + day / 2)

  private static func item(_ priority: Priority? = nil, _ due: DueDate? = nil, age: Int64 = 0) -> ToDoItem {
    let created = Timestamp(microseconds: now.microseconds - age * day)
    return ToDoItem(
      id: ItemID(high: 0, low: 1), number: ItemNumber(1),
      content: ItemContent(title: "Milk", due: due, priority: priority),
      createdAt: created, updatedAt: created, revision: Revision(1))
  }

  private static func date(_ days: Int) -> DueDate { .date(CalendarDate(daysSinceEpoch: 20_600 + days)) }

  private static func time(_ days: Double) -> DueDate {
    .time(Timestamp(microseconds: now.microseconds + Int64(days * Double(day))))
  }

  @Test(
    arguments: [
      (item(), 0), (item(.low), 2_000), (item(.medium), 4_000), (item(.high), 6_000), (item(nil, date(100)), 2_400),
      (item(nil, date(14)), 2_400), (item(nil, date(13)), 2_857), (item(nil, date(0)), 8_800),
      (item(nil, date(-1)), 9_257),
      (item(nil, date(-7)), 12_000), (item(nil, date(-8)), 12_000), (item(nil, time(0)), 8_800),
      (item(nil, time(0.5)), 8_342),
      (item(nil, time(-0.5)), 8_800), (item(nil, time(-1)), 9_257), (item(age: 365), 2_000), (item(age: 5_000), 2_000),
      (item(age: 73), 400), (item(age: -5), 0), (item(.high, date(-30), age: 400), 20_000),
      (item(nil, .time(Timestamp.supportedRange.upperBound)), 2_400),
      (item(nil, .time(Timestamp.supportedRange.lowerBound)), 12_000),
    ] as [(ToDoItem, Int)])
  func urgency_isSumOfItsParts(_ item: ToDoItem, _ urgency: Int) {
    #expect(item.urgency(now: Self.now, today: Self.today) == urgency)
  }

  @Test func doneItem_isNotUrgent() {
    var item = Self.item(.high, Self.date(-30))
    item.completedAt = Self.now
    #expect(item.urgency(now: Self.now, today: Self.today) == 0)
  }
}
