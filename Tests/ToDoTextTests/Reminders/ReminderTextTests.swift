import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoText

/// Reminders as they are typed and shown, on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite struct ReminderTextTests {
  private let dates = DueDateParser(now: Sample.start, zone: CentralEuropeanZone())

  private func parse(_ text: String) throws -> ParsedReminder { try ReminderParser(dates: dates).parse(text) }

  @Test(
    arguments: [
      ("1h", .before(seconds: 3600)), ("1 hour before", .before(seconds: 3600)), ("30m", .before(seconds: 1800)),
      ("1h30min", .before(seconds: 5400)), ("1H 30 Minutes before", .before(seconds: 5400)),
      ("1d 2h", .before(seconds: 93_600)), ("due", .before(seconds: 0)), ("when due", .before(seconds: 0)),
      ("2d", .days(2)), ("1 week before", .days(7)), ("366 days", .days(366)),
      ("day before 18:00", .day(daysBefore: 1, minuteOfDay: 1080)),
      ("the day before at 6pm", .day(daysBefore: 1, minuteOfDay: 1080)),
      ("2 days before 9:30", .day(daysBefore: 2, minuteOfDay: 570)),
      ("1 week before at noon", .day(daysBefore: 7, minuteOfDay: 720)),
      ("day before", .day(daysBefore: 1, minuteOfDay: 540)), ("same day 8:00", .day(daysBefore: 0, minuteOfDay: 480)),
      ("on the due day", .day(daysBefore: 0, minuteOfDay: 540)),
      ("Arriving", .trigger(.arriving)), ("on leaving", .trigger(.leaving)),
      ("tomorrow 17:00", .trigger(.time(Timestamp(microseconds: 1_777_561_200_000_000)))),
      ("fri", .trigger(.time(Timestamp(microseconds: 1_777_618_800_000_000)))),
      // From 10:15:42, the next full minute.
      ("in 2h", .trigger(.time(Timestamp(microseconds: 1_777_457_760_000_000)))),
      ("in 20m", .trigger(.time(Timestamp(microseconds: 1_777_451_760_000_000)))),
      ("in 1 min", .trigger(.time(Timestamp(microseconds: 1_777_450_620_000_000)))),
      ("in 1h 30min", .trigger(.time(Timestamp(microseconds: 1_777_455_960_000_000)))),
      ("in einer Stunde", .trigger(.time(Timestamp(microseconds: 1_777_454_160_000_000)))),
      ("in 2 days", .trigger(.time(Timestamp(microseconds: 1_777_618_800_000_000)))),
    ] as [(String, ParsedReminder)])
  func reminder_isRead(_ text: String, _ expected: ParsedReminder) throws {
    #expect(try parse(text) == expected)
  }

  @Test(
    arguments: [
      ("1 Stunde vorher", .before(seconds: 3600)), ("eine Stunde vorher", .before(seconds: 3600)),
      ("30 Minuten", .before(seconds: 1800)), ("2 Std. vorher", .before(seconds: 7200)), ("2 Tage", .days(2)),
      ("eine Woche davor", .days(7)), ("fällig", .before(seconds: 0)),
      ("am Tag vorher um 18:00", .day(daysBefore: 1, minuteOfDay: 1080)),
      ("Tag vorher 18:00", .day(daysBefore: 1, minuteOfDay: 1080)),
      ("2 Tage vorher 9:30", .day(daysBefore: 2, minuteOfDay: 570)),
      ("am selben Tag um 8:00", .day(daysBefore: 0, minuteOfDay: 480)),
      ("Ankommen", .trigger(.arriving)), ("beim Verlassen", .trigger(.leaving)),
      ("an hour before", .before(seconds: 3600)), ("a day before 18:00", .day(daysBefore: 1, minuteOfDay: 1080)),
    ] as [(String, ParsedReminder)])
  func reminder_inGerman_isRead(_ text: String, _ expected: ParsedReminder) throws {
    #expect(try parse(text) == expected)
  }

  @Test func list_omitsRepeatedReminders() throws {
    let parsed = try ReminderParser(dates: dates).parseList("1h, day before 18:00, 60min")
    #expect(parsed == [.before(seconds: 3600), .day(daysBefore: 1, minuteOfDay: 1080)])
  }

  @Test(arguments: [
    "", "soon", "1", "1h 2", "h", "1 parsec", "before", "367d", "60 weeks before 9:00", "day before fri 18:00",
    "day before 25:00", "9999999h", "-1h", "1.5h", "+2h", "half an hour", "day before 28 nov",
    "in 2h before", "in due", "in",
  ])
  func reminder_thatIsNone_isRejected(_ text: String) throws {
    let error = try #require(throws: InvalidText.self) { try parse(text) }
    #expect(error.reason == "INVALID_REMINDER" && error.description.hasPrefix("'\(text)' is "))
  }

  @Test func days_countFromATimeOrADay() throws {
    let day = try #require(CalendarDate(year: 2026, month: 5, day: 1))
    let atNine = Reminder.DayTrigger(daysBefore: 2, minuteOfDay: 540, timeZone: "Europe/Berlin")
    #expect(ParsedReminder.days(2).trigger(due: .date(day), timeZone: "Europe/Berlin") == .day(atNine))
    #expect(ParsedReminder.days(2).trigger(due: .time(Sample.start), timeZone: "") == .before(seconds: 172_800))
    #expect(ParsedReminder.days(2).isLocal(due: .date(day)) && !ParsedReminder.days(2).isLocal(due: nil))
  }

  @Test(arguments: [
    ("PT0S", "when due"), ("PT1H30M", "1h 30min before"), ("P1DT1M", "1d 1min before"),
    ("P0D 08:00", "same day 08:00"), ("P1D 18:00", "day before 18:00"), ("P14D 18:00", "14 days before 18:00"),
    ("arriving", "on arriving"), ("leaving", "on leaving"), ("2026-04-30T15:00:00Z", "tomorrow 17:00"),
  ])
  func trigger_isShown_andReadAgain(_ trigger: String, _ text: String) throws {
    let trigger = try #require(Reminder.Trigger(trigger))
    #expect(ReminderText.text(of: trigger, today: dates.today, in: dates.zone) == text)
    #expect(try parse(text).trigger(due: .time(Sample.start), timeZone: "") == trigger)
  }

  @Test func state_isShown() {
    let time = Timestamp(microseconds: 1_777_561_200_000_000)
    func details(_ reminder: Reminder) -> String {
      ReminderText.details(of: reminder, today: dates.today, in: dates.zone)
    }
    let trigger = Reminder.Trigger.before(seconds: 60)
    #expect(details(Reminder(trigger)) == "1min before")
    #expect(details(Reminder(trigger, acknowledged: time)) == "1min before (told: tomorrow 17:00)")
    #expect(
      details(Reminder(trigger, acknowledged: time, snoozedUntil: time))
        == "1min before (snoozed until tomorrow 17:00)")
    #expect(
      ReminderText.facts([Reminder(trigger), Reminder(.arriving)], today: dates.today, in: dates.zone)
        == ["reminds 1min before, on arriving"])
    #expect(ReminderText.facts([], today: dates.today, in: dates.zone).isEmpty)
  }
}
