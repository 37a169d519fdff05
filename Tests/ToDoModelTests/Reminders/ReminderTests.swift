import Foundation
import Testing
import ToDoModel

/// The text, JSON and rules of reminders.
@Suite struct ReminderTests {
  @Test(
    arguments: [
      ("2026-05-01T15:00:00Z", .time(Timestamp(microseconds: 1_777_647_600_000_000))),
      ("PT0S", .before(seconds: 0)), ("PT1H", .before(seconds: 3600)), ("PT1H30M5S", .before(seconds: 5405)),
      ("P2D", .before(seconds: 172_800)), ("P1DT2M", .before(seconds: 86_520)),
      ("P0D 09:00", .day(.init(daysBefore: 0, minuteOfDay: 540))),
      ("P366D 23:59 Europe/Berlin", .day(.init(daysBefore: 366, minuteOfDay: 1439, timeZone: "Europe/Berlin"))),
      ("arriving", .arriving), ("leaving", .leaving),
    ] as [(String, Reminder.Trigger)])
  func trigger_isReadAsItIsWritten(_ text: String, _ trigger: Reminder.Trigger) {
    #expect(trigger.description == text)
    #expect(Reminder.Trigger(text) == trigger)
  }

  @Test(arguments: [
    "", "P", "PT", "P1", "P1H", "PT1D", "PT60S", "PT1H1H", "PT-1H", "P1DT", "PT01H", "P1D 9:00", "P1D 24:00",
    "P1D 09:60",
    "P-1D 09:00", "P1D 09:00 ", "PT1H 09:00", "P 09:00", "PT9999999999S", "1h", "Arriving", "2026-05-01",
  ])
  func trigger_inAnotherForm_isNotRead(_ text: String) {
    #expect(Reminder.Trigger(text) == nil)
  }

  @Test func reminder_isDecodedAsItIsEncoded() throws {
    let time = Timestamp(microseconds: 5_000_000)
    for reminder in [Reminder(.arriving), Reminder(.before(seconds: 60), acknowledged: time, snoozedUntil: time)] {
      #expect(try JSONDecoder().decode(Reminder.self, from: JSONEncoder().encode(reminder)) == reminder)
    }
    #expect(try JSONDecoder().decode(Reminder.self, from: Data("{\"trigger\": \"PT1M\"}".utf8)) == .before(60))
    for wrong in ["{}", "{\"trigger\": \"1h\"}", "{\"trigger\": \"PT1M\", \"snoozeTime\": \"soon\"}"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Reminder.self, from: Data(wrong.utf8)) }
    }
  }

  private static let timed = ItemContent(title: "a", due: .time(Timestamp(microseconds: 0)))
  private static let outside = Timestamp(microseconds: .max)

  /// Content with a wrong reminder, whose description has no time: some are outside the years that a text can have.
  private struct Wrong: Sendable, CustomTestStringConvertible {
    let content: ItemContent
    let reminder: Reminder
    let field: String

    var testDescription: String { field }

    init(_ content: ItemContent, _ reminder: Reminder, _ field: String) {
      (self.content, self.reminder, self.field) = (content, reminder, field)
    }
  }

  private static let wrong: [Wrong] = [
    Wrong(timed, .before(-1), "seconds_before"), Wrong(timed, .before(Reminder.Limits.seconds + 1), "seconds_before"),
    Wrong(ItemContent(title: "a"), .before(0), "seconds_before"),
    Wrong(ItemContent(title: "a", due: .date(CalendarDate(daysSinceEpoch: 0))), .before(0), "seconds_before"),
    Wrong(timed, .day(-1, 0), "day.days_before"), Wrong(timed, .day(367, 0), "day.days_before"),
    Wrong(timed, .day(0, -1), "day.minute_of_day"), Wrong(timed, .day(0, 1440), "day.minute_of_day"),
    Wrong(timed, .day(0, 0, "berlin"), "day.time_zone"), Wrong(ItemContent(title: "a"), .day(0, 0), "day"),
    Wrong(timed, Reminder(.time(outside)), "time"), Wrong(timed, Reminder(.arriving), "place"),
    Wrong(timed, Reminder(.leaving), "place"),
    Wrong(timed, Reminder(.before(seconds: 0), acknowledged: outside), "acknowledged_time"),
    Wrong(timed, Reminder(.before(seconds: 0), snoozedUntil: outside), "snooze_time"),
  ]

  @Test(arguments: wrong) private func content_withInvalidReminder_namesItsField(_ wrong: Wrong) {
    var content = wrong.content
    content.reminders = [Reminder(.time(Timestamp(microseconds: 0))), wrong.reminder]
    #expect(content.violations(at: "item").map(\.field) == ["item.reminders[1].\(wrong.field)"])
  }

  @Test func content_withBoundsOfReminders_isValid() {
    var content = Self.timed
    content.location = Location(name: "Home")
    content.reminders = [
      .before(0), .before(Reminder.Limits.seconds), .day(366, 1439, "Europe/Berlin"), .day(0, 0), Reminder(.arriving),
      Reminder(.leaving), Reminder(.time(Timestamp.supportedRange.upperBound)), .before(0),
    ]
    #expect(content.violations(at: "item").isEmpty)
    content.reminders.append(.before(0))
    #expect(content.violations(at: "item").map(\.field) == ["item.reminders"])
  }

  @Test func content_withoutReminders_hasTheSizeOfItsTitle() {
    var content = Self.timed
    content.reminders = []
    #expect(!content.hasMarks && content.textSize == 1)
    content.reminders = [.before(60)]
    #expect(content.textSize == 11)
    content.reminders[0].acknowledged = Timestamp(microseconds: 0)
    content.reminders.append(.day(1, 0, "UTC"))
    #expect(content.textSize == 19 + 14)
  }

  @Test func change_ofReminders_saysTriggersAndStates() throws {
    let time = try #require(Timestamp("2026-05-01T15:00:00Z"))
    let former = Self.item([.before(3600)])
    let told = Self.item([Reminder(.before(seconds: 3600), acknowledged: time, snoozedUntil: time), .day(1, 1080)])
    let state = "PT1H acknowledged 2026-05-01T15:00:00Z snoozed to 2026-05-01T15:00:00Z; P1D 18:00"
    #expect(
      FieldChange.differences(from: former, to: told) == [
        FieldChange(.reminders, from: .text("PT1H"), to: .text(state))
      ])
    #expect(
      FieldChange.differences(from: former, to: Self.item([])) == [
        FieldChange(.reminders, from: .text("PT1H"), to: nil)
      ])
  }

  private static func item(_ reminders: [Reminder]) -> ToDoItem {
    var content = timed
    content.reminders = reminders
    let time = Timestamp(microseconds: 5)
    return ToDoItem(
      id: ItemID(high: 0, low: 1), number: .unknown, content: content, createdAt: time, updatedAt: time,
      revision: .initial)
  }
}

extension Reminder {
  fileprivate static func before(_ seconds: Int) -> Reminder { Reminder(.before(seconds: seconds)) }

  fileprivate static func day(_ days: Int, _ minute: Int, _ zone: String = "") -> Reminder {
    Reminder(.day(DayTrigger(daysBefore: days, minuteOfDay: minute, timeZone: zone)))
  }
}
