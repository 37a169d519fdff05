import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoText

@Suite struct DueDateTextTests {
  @Test(arguments: [
    ("2026-04-28T07:00:00Z", "yesterday 09:00"),
    ("2026-04-29T15:00:00Z", "today 17:00"),
    ("2026-04-29T22:30:00Z", "tomorrow 00:30"),
    ("2026-05-01T15:00:00Z", "Fri 1 May 17:00"),
    ("2026-01-01T11:00:05Z", "Thu 1 Jan 12:00:05"),
    ("2025-12-31T11:00:00Z", "2025-12-31 12:00"),
    ("2027-01-03T11:00:00Z", "2027-01-03 12:00"),
  ])
  func shortText_ofTime_containsLocalDay(instant: String, text: String) throws {
    let due = DueDate.time(try #require(Timestamp(instant)))
    #expect(try due.shortText(today: today, in: CentralEuropeanZone()) == text)
  }

  @Test(arguments: [
    (2026, 4, 28, "yesterday"), (2026, 4, 29, "today"), (2026, 4, 30, "tomorrow"), (2026, 5, 1, "Fri 1 May"),
    (2026, 12, 31, "Thu 31 Dec"), (2027, 1, 3, "2027-01-03"),
  ])
  func shortText_ofDate_containsDay(year: Int, month: Int, day: Int, text: String) throws {
    let due = DueDate.date(try #require(CalendarDate(year: year, month: month, day: day)))
    #expect(try due.shortText(today: today, in: CentralEuropeanZone()) == text)
  }

  @Test func absoluteText_whenZoneHasNoName_containsOffset() throws {
    let zone = FixedZone(offset: ZoneOffset(seconds: 20_700, name: "+0545"))
    let due = DueDate.time(try #require(Timestamp("2026-05-01T15:00:00Z")))
    #expect(due.absoluteText(in: zone) == "Fri 2026-05-01 20:45 +0545")
  }

  private var today: CalendarDate {
    get throws { try #require(CalendarDate(year: 2026, month: 4, day: 29)) }
  }
}
