import ToDoModel
import ToDoRules

extension FuzzTarget {
  /// The parsers of recurrence rules and of time zone files. The input is a rule, a line feed, and a file.
  static let repetitions = FuzzTarget(name: "repetitions") { bytes in
    let input = Array(bytes)
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
    let zone: any TimeZoneRules = TimeZoneFile(Array(input[end...].dropFirst())) ?? FixedOffset()
    guard let rule = RecurrenceRule(String(decoding: input[..<end], as: UTF8.self)) else {
      _ = zone.instant(at: LocalTime(microseconds: 1_777_450_542_000_000))
      return
    }
    precondition(RecurrenceRule(rule.description) == rule, "the text of a rule must be parsed as the same rule")
    for start in [
      DueDate.time(Timestamp(microseconds: 1_777_450_542_000_000)), .date(CalendarDate(daysSinceEpoch: -719_162)),
    ] {
      let repetition = Repetition(.calendar(rule), start: start)
      let now = Timestamp(microseconds: 1_888_450_542_000_000)
      guard let next = repetition.next(after: start, now: now, in: zone) else { continue }
      precondition(next.due != start && next.missedCount >= 0, "the next occurrence must be later")
    }
  }
}

/// The zone of inputs without a valid file.
private struct FixedOffset: TimeZoneRules {
  func offset(at instant: Timestamp) -> ZoneOffset { ZoneOffset(seconds: 3600, name: "CET") }
}
