import Testing

@testable import ToDoModel

/// The occurrence of which the due date was edited, in a rule that starts on Tuesday 2026-05-05.
@Suite struct MovedOccurrenceTests {
  private func due(_ text: String) throws -> DueDate {
    try #require(CalendarDate(text).map(DueDate.date) ?? Timestamp(text).map(DueDate.time))
  }

  /// The rule, the due dates before and after edits, the date of the occurrence, and the next one for a check on the last day of
  /// the edits.
  @Test(
    arguments: [
      // Moved earlier, and back.
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-08"], "2026-05-12", "2026-05-19"),
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-08", "2026-05-12"], nil, "2026-05-19"),
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-05"], "2026-05-12", "2026-05-19"),
      ("FREQ=DAILY", ["2026-05-12", "2026-05-11"], "2026-05-12", "2026-05-13"),
      // Moved later, also past the next occurrence, or to it.
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-14"], "2026-05-12", "2026-05-19"),
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-21"], "2026-05-12", "2026-05-26"),
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-08", "2026-05-21"], "2026-05-12", "2026-05-26"),
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-19"], nil, "2026-05-26"),
      ("FREQ=DAILY", ["2026-05-12", "2026-05-14"], nil, "2026-05-15"),
      // On the same day.
      ("FREQ=WEEKLY", ["2026-05-12", "2026-05-12T09:00:00Z"], "2026-05-12", "2026-05-19"),
      (
        "FREQ=WEEKLY", ["2026-05-12T09:00:00Z", "2026-05-12T08:00:00Z"], "2026-05-12T09:00:00Z", "2026-05-19T09:00:00Z"
      ),
      // To the day of the next occurrence, earlier than that.
      (
        "FREQ=WEEKLY", ["2026-05-12T09:00:00Z", "2026-05-19T08:00:00Z"], "2026-05-19T09:00:00Z", "2026-05-26T09:00:00Z"
      ),
      // The last occurrence.
      ("FREQ=WEEKLY;COUNT=2", ["2026-05-12", "2026-05-08"], "2026-05-12", nil),
      ("FREQ=WEEKLY;COUNT=2", ["2026-05-12", "2026-05-19"], "2026-05-12", nil),
    ] as [(String, [String], String?, String?)])
  func occurrence_ofEditedDue_isThatOfTheRule(
    _ rule: String, _ dues: [String], _ occurrence: String?, _ next: String?
  ) throws {
    let dues = try dues.map(due)
    let start = try due(
      rule.contains("WEEKLY") && "\(dues[0])".contains("time") ? "2026-05-05T09:00:00Z" : "2026-05-05")
    var repetition = Repetition(.calendar(try RecurrenceRule(parsing: rule)), start: start)
    for (old, new) in zip(dues, dues.dropFirst()) {
      var kept = repetition
      kept.occurrence = nil
      #expect(
        kept.continuing(repetition, dueBefore: old, dueAfter: new, in: UTC())
          == repetition.continuing(
            repetition, dueBefore: old, dueAfter: new, in: UTC()))
      repetition = repetition.continuing(repetition, dueBefore: old, dueAfter: new, in: UTC())
    }
    #expect(repetition.occurrence == (try occurrence.map(due)))
    let last = try #require(dues.last)
    let now = try #require(last.date(in: UTC())).daysSinceEpoch
    let found = repetition.next(
      after: last, now: Timestamp(microseconds: Int64(now) * 86_400_000_000), in: UTC())?.due
    #expect(found == (try next.map(due)))
    #expect(repetition.occurrences(after: last, limit: 1, in: UTC()).isEmpty == (found == nil))
  }

  @Test func occurrence_ofAnotherRule_isNotKept() throws {
    let (old, new) = (try due("2026-05-12"), try due("2026-05-08"))
    let former = Repetition(.calendar(RecurrenceRule(.weekly)), start: try due("2026-05-05"))
    var others = [former, former, former]
    others[0].rule = .afterDone(.init(1, .weekly))
    others[1].timeZone = "Europe/Berlin"
    others[2].start = new
    for other in others {
      #expect(other.continuing(former, dueBefore: old, dueAfter: new, in: UTC()) == other)
    }
  }

  @Test func occurrence_whenItemMovesOn_isCleared() throws {
    var content = ItemContent(title: "Bins", due: try due("2026-05-08"))
    content.repetition = Repetition(
      .calendar(RecurrenceRule(.weekly)), start: try due("2026-05-05"), occurrence: try due("2026-05-12"))
    let moved = content.moved(
      on: .init(due: try due("2026-05-19")), now: Timestamp(microseconds: 0), in: UTC())
    #expect(moved.repetition?.occurrence == nil)
    #expect(content.repetition?.size == (moved.repetition?.size ?? 0) + 8)
  }
}
