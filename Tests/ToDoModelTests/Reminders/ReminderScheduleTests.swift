import Testing
import ToDoModel

/// When reminders are due, in a zone whose clocks are set forward on 2026-03-29 at 01:00 UTC, and back on 2026-10-25.
@Suite struct ReminderScheduleTests {
  private struct Berlin: TimeZoneRules {
    func offset(at instant: Timestamp) -> ZoneOffset {
      let isSummer = (1_774_746_000_000_000..<1_792_890_000_000_000).contains(instant.microseconds)
      return ZoneOffset(seconds: isSummer ? 7200 : 3600, name: isSummer ? "CEST" : "CET")
    }
  }

  private let schedule = ReminderSchedule { name in
    if name == "Europe/Berlin" { Berlin() as any TimeZoneRules } else { UTC() }
  }

  private func item(_ due: String?, _ reminders: Reminder...) throws -> ToDoItem {
    let date = try due.map { text in
      try #require(CalendarDate(text).map(DueDate.date) ?? Timestamp(text).map(DueDate.time))
    }
    let time = Timestamp(microseconds: 5)
    return ToDoItem(
      id: ItemID(high: 0, low: 1), number: .unknown,
      content: ItemContent(title: "a", due: date, location: Location(name: "Home"), reminders: reminders),
      createdAt: time, updatedAt: time, revision: .initial)
  }

  private func trigger(_ text: String) throws -> Reminder { Reminder(try #require(Reminder.Trigger(text))) }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  @Test(
    arguments: [
      ("2026-05-01T15:00:00Z", nil, "2026-05-01T15:00:00Z"),
      ("2026-05-01T15:00:00Z", "2026-06-01", "2026-05-01T15:00:00Z"),
      ("PT1H", "2026-05-01T15:00:00Z", "2026-05-01T14:00:00Z"),
      ("PT0S", "2026-05-01T15:00:00Z", "2026-05-01T15:00:00Z"),
      // A duration is elapsed time, also across a change of clocks; a time of day is local.
      ("P1D", "2026-03-29T10:00:00Z", "2026-03-28T10:00:00Z"),
      ("P1D 12:00 Europe/Berlin", "2026-03-29T10:00:00Z", "2026-03-28T11:00:00Z"),
      ("P0D 12:00 Europe/Berlin", "2026-03-29", "2026-03-29T10:00:00Z"),
      // 02:30 does not exist on that day, and occurs twice on the other one.
      ("P0D 02:30 Europe/Berlin", "2026-03-29", "2026-03-29T01:30:00Z"),
      ("P1D 02:30 Europe/Berlin", "2026-10-26", "2026-10-25T00:30:00Z"),
      // The due day is that of the reminder's zone.
      ("P0D 09:00 Europe/Berlin", "2026-05-01T22:30:00Z", "2026-05-02T07:00:00Z"),
      ("P0D 09:00", "2026-05-01T22:30:00Z", "2026-05-01T09:00:00Z"),
      ("P366D 00:00", "2026-05-01", "2025-04-30T00:00:00Z"),
      // Nothing to count from, or before the year 1.
      ("PT1H", "2026-05-01", nil), ("PT1H", nil, nil), ("P1D 09:00", nil, nil), ("arriving", nil, nil),
      ("leaving", "2026-05-01", nil), ("P366D 09:00", "0001-05-01", nil), ("PT1H", "0001-01-01T00:30:00Z", nil),
    ] as [(String, String?, String?)])
  func reminder_isDueAtItsTime(_ trigger: String, _ due: String?, _ expected: String?) throws {
    let entries = schedule.entries(of: try item(due, try self.trigger(trigger)))
    let expected = try expected.map(time)
    #expect(entries == (expected.map { [.init(index: 0, time: $0, tellTime: $0)] } ?? []))
  }

  @Test func entries_areInTheOrderOfTheirTimes() throws {
    let item = try item("2026-05-01T15:00:00Z", try trigger("PT0S"), try trigger("P1D"), try trigger("PT1H"))
    #expect(schedule.entries(of: item).map(\.index) == [1, 2, 0])
  }

  @Test func item_thatIsDoneOrDeleted_hasNoEntries() throws {
    var item = try item("2026-05-01T15:00:00Z", try trigger("PT1H"))
    item.completedAt = Timestamp(microseconds: 6)
    #expect(schedule.entries(of: item).isEmpty)
    item.completedAt = nil
    item.deletion = .init(deletedAt: Timestamp(microseconds: 6), expiresAt: Timestamp(microseconds: 7))
    #expect(schedule.entries(of: item).isEmpty)
  }

  @Test func item_thatWaits_remindsWhenItsWaitEnds() throws {
    var item = try item("2026-05-01T15:00:00Z", try trigger("PT1H"))
    item.content.waitUntil = try time("2026-05-01T14:30:00Z")
    #expect(schedule.entries(of: item).map(\.tellTime) == [try time("2026-05-01T14:30:00Z")])
    item.content.waitUntil = try time("2026-05-01T13:30:00Z")
    #expect(schedule.entries(of: item).map(\.tellTime) == [try time("2026-05-01T14:00:00Z")])
  }

  /// A client that knows other rules of the zone computes another time, and tells at most once more.
  @Test(
    arguments: [
      ("P0D 12:00 Europe/Berlin", 0, true), ("P0D 12:00 Europe/Berlin", 13, true),
      ("P0D 12:00 Europe/Berlin", -1, false),
      ("P0D 12:00 Europe/Berlin", 24, false), ("2026-05-01T15:00:00Z", 0, true), ("2026-05-01T15:00:00Z", 1, false),
    ])
  func acknowledgment_ofAnotherTime_countsForTimesOfDay(
    _ text: String, _ hours: Int64, _ isAcknowledged: Bool
  ) throws {
    let reminder = try trigger(text)
    let day = try #require(CalendarDate("2026-05-01"))
    let time = try #require(schedule.time(of: reminder, due: .date(day)))
    let acknowledged = Timestamp(microseconds: time.microseconds + hours * 3_600_000_000)
    let item = try item("2026-05-01", Reminder(reminder.trigger, acknowledged: acknowledged))
    #expect(schedule.entries(of: item).isEmpty == isAcknowledged)
  }

  @Test func acknowledgedReminder_isDueAgainOnlyIfItsTimeMoves() throws {
    var item = try item("2026-05-01T15:00:00Z", try trigger("PT1H"), try trigger("PT0S"))
    let entries = schedule.entries(of: item)
    item.content.reminders = item.acknowledging([entries[0]])
    #expect(schedule.entries(of: item) == [entries[1]])
    item.content.due = .time(try time("2026-05-02T15:00:00Z"))
    #expect(schedule.entries(of: item).map(\.index) == [0, 1])
    item.content.due = .time(try time("2026-05-01T15:00:00Z"))
    #expect(schedule.entries(of: item) == [entries[1]])
  }

  @Test func snoozedReminder_isDueOnceMore_untilItsTimeMoves() throws {
    var item = try item("2026-05-01T15:00:00Z", try trigger("PT1H"))
    let (entries, later) = (schedule.entries(of: item), try time("2026-05-01T14:10:00Z"))
    item.content.reminders = item.snoozing(entries, until: later)
    let snoozed = schedule.entries(of: item)
    #expect(snoozed == [.init(index: 0, time: entries[0].time, tellTime: later)])
    var moved = item
    moved.content.due = .time(try time("2026-05-02T15:00:00Z"))
    #expect(schedule.entries(of: moved).map(\.tellTime) == [try time("2026-05-02T14:00:00Z")])
    item.content.reminders = item.acknowledging(snoozed)
    #expect(schedule.entries(of: item).isEmpty)
    #expect(item.reminders.map(\.snoozedUntil) == [nil])
  }

  @Test func lastToldReminder_isSnoozed_orElseOneThatIsDue() throws {
    var item = try item("2026-05-01T15:00:00Z", try trigger("PT2H"), try trigger("PT1H"), try trigger("PT0S"))
    let (entries, now) = (schedule.entries(of: item), try time("2026-05-01T14:30:00Z"))
    #expect(schedule.snoozable(of: item, at: now) == entries[0])
    #expect(schedule.snoozable(of: item, at: try time("2026-05-01T12:00:00Z")) == nil)
    item.content.reminders = item.acknowledging(Array(entries[..<2]))
    #expect(schedule.snoozable(of: item, at: now) == entries[1])
    item.content.reminders = item.snoozing([entries[1]], until: try time("2026-05-01T14:40:00Z"))
    #expect(schedule.snoozable(of: item, at: now) == entries[1])
    item.completedAt = now
    #expect(schedule.snoozable(of: item, at: now) == nil)
  }

  @Test func dueAndSnoozedReminders_areDismissed() throws {
    var item = try item("2026-05-01T15:00:00Z", try trigger("PT2H"), try trigger("PT1H"), try trigger("PT0S"))
    let entries = schedule.entries(of: item)
    #expect(schedule.dismissible(of: item, at: try time("2026-05-01T12:00:00Z")) == [])
    #expect(schedule.dismissible(of: item, at: try time("2026-05-01T14:00:00Z")) == Array(entries[..<2]))
    item.content.reminders = item.snoozing([entries[2]], until: try time("2026-05-01T16:00:00Z"))
    #expect(schedule.dismissible(of: item, at: try time("2026-05-01T12:00:00Z")).map(\.index) == [2])
    item.content.reminders = []
    #expect(schedule.dismissible(of: item, at: try time("2026-05-01T12:00:00Z")).isEmpty)
  }

  @Test func itemThatMovesOn_keepsRelativeRemindersWithoutState() throws {
    var item = try item(
      "2026-05-01T15:00:00Z", try trigger("PT1H"), try trigger("2026-05-01T10:00:00Z"), try trigger("P1D 18:00"),
      try trigger("arriving"))
    item.content.reminders = item.snoozing(schedule.entries(of: item), until: try time("2026-05-01T16:00:00Z"))
    let next = Repetition.Next(due: .time(try time("2026-05-08T15:00:00Z")))
    item.content = item.content.moved(on: next, now: try time("2026-05-01T15:00:00Z"), in: UTC())
    #expect(item.reminders == [try trigger("PT1H"), try trigger("P1D 18:00"), try trigger("arriving")])
    #expect(
      schedule.entries(of: item).map(\.time) == [try time("2026-05-07T18:00:00Z"), try time("2026-05-08T14:00:00Z")])
  }

  @Test func entryOfAReminderThatIsGone_changesNothing() throws {
    let item = try item(nil)
    let entry = ReminderSchedule.Entry(index: 0, time: item.createdAt, tellTime: item.createdAt)
    #expect(item.acknowledging([entry]).isEmpty)
  }
}
