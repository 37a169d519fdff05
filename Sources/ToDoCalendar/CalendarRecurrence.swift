import ToDoModel

/// The occurrences of an item that repeats, from the present one on, in the terms of RFC 5545.
struct CalendarRecurrence {
  /// The present occurrence, at the time that the rule gives to it.
  let first: DueDate
  /// `RRULE`, or `nil` if no rule of RFC 5545 has these occurrences.
  let rule: String?
  /// The occurrences after the first one if there is no rule: as many as a calendar is likely to show.
  let others: [DueDate]
  /// The name of the local times' zone; empty for UTC.
  let timeZone: String

  private static let otherCount = 60

  /// Creates the occurrences, or returns `nil` if the item does not repeat by a calendar rule.
  ///
  /// - Parameters:
  ///   - due: the item's due date.
  ///   - zone: the time zone with the name `repetition.timeZone`.
  init?(_ repetition: Repetition, due: DueDate, in zone: any TimeZoneRules) {
    let first = repetition.occurrence ?? due
    // Without the occurrences before this one, which `COUNT` includes.
    guard case .calendar(let rule)? = repetition.moved(from: first, to: first, in: zone)?.rule else { return nil }
    self.first = first
    timeZone = repetition.timeZone == "UTC" ? "" : repetition.timeZone
    self.rule = rule.withoutSkip?.ending(like: first, in: zone).description
    others = self.rule == nil ? repetition.occurrences(after: due, limit: Self.otherCount, in: zone) : []
  }
}

/// A rule's text in RFC 5545, which can express with `BYSETPOS` what RFC 7529 expresses with `SKIP`.
private struct CalendarRule {
  var rule: RecurrenceRule
  var takesLastDay = false

  var description: String { rule.description + (takesLastDay ? ";BYSETPOS=-1" : "") }

  /// Returns the rule with an end of the type that an occurrence has, as RFC 5545 demands.
  func ending(like first: DueDate, in zone: any TimeZoneRules) -> CalendarRule {
    var ending = self
    switch (rule.end, first) {
    case (.until(.date(let date)), .time):
      let end = zone.instant(at: LocalTime(date, TimeOfDay(hour: 23, minute: 59, second: 59)))
      // West of UTC, the last day of the year 9999 ends in the next year, which has no form.
      let range = Timestamp.supportedRange
      ending.rule.end = .until(.time(min(max(end, range.lowerBound), range.upperBound)))
    case (.until(.time(let time)), .date):
      ending.rule.end = zone.localTime(at: time).date.map { .until(.date($0)) }
    default: break
    }
    return ending
  }
}

extension RecurrenceRule {
  /// The rule without `SKIP`, which few calendars know, or `nil` if that cannot be expressed.
  ///
  /// A month's last day from 28 to 31 is the 31st, or the last day of a shorter month.
  fileprivate var withoutSkip: CalendarRule? {
    guard clampsMonthDays else { return CalendarRule(rule: self) }
    guard weekdays.isEmpty, monthDays.count == 1, let day = monthDays.first, (29...31).contains(day),
      frequency == .monthly || frequency == .yearly && months.count == 1
    else { return nil }
    var rule = self
    (rule.clampsMonthDays, rule.monthDays) = (false, Array(28...day))
    return CalendarRule(rule: rule, takesLastDay: true)
  }
}
