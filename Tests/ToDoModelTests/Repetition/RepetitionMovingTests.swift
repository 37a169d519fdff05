import Testing

@testable import ToDoModel

@Suite struct RepetitionMovingTests {
  private func due(_ text: String) throws -> DueDate {
    try #require(CalendarDate(text).map(DueDate.date) ?? Timestamp(text).map(DueDate.time))
  }

  /// 2026-05-04 is a Monday, and so is 2026-05-25, the last one.
  @Test(
    arguments: [
      ("FREQ=DAILY", "2026-05-04", "2026-05-06", "FREQ=DAILY"),
      ("FREQ=WEEKLY", "2026-05-04", "2026-05-06", "FREQ=WEEKLY"),
      ("FREQ=WEEKLY;BYDAY=MO,TH", "2026-05-04", "2026-05-06", "FREQ=WEEKLY;BYDAY=WE,TH"),
      ("FREQ=WEEKLY;BYDAY=MO,TH", "2026-05-04", "2026-05-07", nil),
      ("FREQ=WEEKLY;BYDAY=TU", "2026-05-04", "2026-05-07", nil),
      ("FREQ=WEEKLY;BYDAY=TU", "2026-05-04T09:00:00Z", "2026-05-04T10:00:00Z", "FREQ=WEEKLY;BYDAY=TU"),
      (
        "FREQ=MONTHLY;BYMONTHDAY=4", "2026-05-04", "2026-05-31",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD"
      ),
      (
        "FREQ=MONTHLY;BYMONTHDAY=4,15", "2026-05-04", "2026-05-29",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=15,29;SKIP=BACKWARD"
      ),
      ("FREQ=MONTHLY;BYMONTHDAY=4", "2026-05-04", "2026-05-28", "FREQ=MONTHLY;BYMONTHDAY=28"),
      ("FREQ=MONTHLY;BYMONTHDAY=4,30", "2026-05-04", "2026-05-31", "FREQ=MONTHLY;BYMONTHDAY=30,31"),
      ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-05-31", "2026-05-30", "FREQ=MONTHLY;BYMONTHDAY=30"),
      (
        "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-05-31", "2026-05-30",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=30;SKIP=BACKWARD"
      ),
      ("FREQ=MONTHLY;BYMONTHDAY=4,-1", "2026-05-31", "2026-05-20", "FREQ=MONTHLY;BYMONTHDAY=4,20"),
      ("FREQ=MONTHLY;BYMONTHDAY=4,-1", "2026-05-04", "2026-05-31", nil),
      (
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", "2026-04-30", "2026-05-02",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=2;SKIP=BACKWARD"
      ),
      ("FREQ=MONTHLY;BYDAY=1MO", "2026-05-04", "2026-05-12", "FREQ=MONTHLY;BYDAY=2TU"),
      ("FREQ=MONTHLY;BYDAY=1MO", "2026-05-04", "2026-05-29", "FREQ=MONTHLY;BYDAY=-1FR"),
      ("FREQ=MONTHLY;BYDAY=-1MO", "2026-05-25", "2026-05-26", "FREQ=MONTHLY;BYDAY=-1TU"),
      ("FREQ=MONTHLY;BYDAY=-1MO", "2026-05-25", "2026-05-19", "FREQ=MONTHLY;BYDAY=3TU"),
      ("FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=4", "2026-05-04", "2026-05-06", nil),
      ("FREQ=MONTHLY;BYMONTH=5;BYMONTHDAY=4", "2026-05-04", "2026-06-06", nil),
      ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=4", "2026-05-04", "2026-06-06", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=6"),
      ("FREQ=YEARLY;BYMONTH=5,6;BYMONTHDAY=4", "2026-05-04", "2026-06-06", nil),
      ("FREQ=YEARLY;BYMONTH=5;BYDAY=1MO", "2026-05-04", "2026-07-07", "FREQ=YEARLY;BYMONTH=7;BYDAY=1TU"),
      ("FREQ=YEARLY;BYDAY=18MO", "2026-05-04", "2026-05-05", nil),
      ("FREQ=YEARLY", "2026-05-04", "2026-05-05", "FREQ=YEARLY"),
      ("FREQ=MONTHLY", "2026-05-04", "2026-05-28", "FREQ=MONTHLY"),
      ("FREQ=MONTHLY", "2026-05-04", "2026-05-31", "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD"),
      (
        "FREQ=MONTHLY;INTERVAL=2", "2026-05-04", "2026-05-30",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=30;SKIP=BACKWARD"
      ),
      ("FREQ=MONTHLY", "2026-05-31", "2026-05-30", "FREQ=MONTHLY"),
      (
        "FREQ=YEARLY", "2028-02-28", "2028-02-29",
        "RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=BACKWARD"
      ),
    ] as [(String, String, String, String?)])
  func moved_toAnotherDate_followsOrReturnsNil(_ rule: String, _ old: String, _ new: String, _ expected: String?) throws
  {
    let repetition = Repetition(
      .calendar(try RecurrenceRule(parsing: rule)), timeZone: "UTC", start: try due(old), missedCount: 3)
    let moved = repetition.moved(from: try due(old), to: try due(new), in: UTC())
    #expect(
      moved
        == (try expected.map { Repetition(.calendar(try RecurrenceRule(parsing: $0)), timeZone: "UTC", missedCount: 3) })
    )
  }

  @Test func moved_withCount_keepsTheNumberOfRemainingOccurrences() throws {
    let repetition = Repetition(
      .calendar(try RecurrenceRule(parsing: "FREQ=WEEKLY;COUNT=5")), start: try due("2026-05-04"))
    let moved = repetition.moved(from: try due("2026-05-18"), to: try due("2026-05-19"), in: UTC())
    #expect(moved == Repetition(.calendar(RecurrenceRule(.weekly, end: .count(3)))))
    #expect(repetition.moved(from: try due("2026-06-08"), to: try due("2026-06-09"), in: UTC()) == nil)
  }

  @Test func moved_afterDone_isUnchanged() throws {
    let repetition = Repetition(.afterDone(.init(3, .daily)))
    #expect(repetition.moved(from: try due("2026-05-18"), to: try due("2026-05-19"), in: UTC()) == repetition)
  }
}
