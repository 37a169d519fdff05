package import ToDoModel

extension Repetition {
  /// Returns the rule in words, and how many occurrences were missed, such as `every Tuesday (2 missed)`.
  package func text(in zone: any TimeZoneRules) -> String {
    rule.words(in: zone) + (missedCount > 0 ? " (\(missedCount) missed)" : "")
  }

  /// Returns the occurrences after a due date, such as `Tue 5 May, Tue 12 May, Tue 19 May`, or `nil` if there are none. Those of
  /// an interval after an item was done are not known before.
  ///
  /// - Parameters:
  ///   - includesDue: whether the due date is the first of them.
  ///   - zone: the reader's time zone.
  ///   - rules: the time zone with the name `timeZone`; `nil` if it is the reader's, or unknown.
  package func nextDates(
    after due: DueDate, includingIt includesDue: Bool = false, today: CalendarDate, in zone: any TimeZoneRules,
    repeatingIn rules: (any TimeZoneRules)? = nil
  ) -> String? {
    var later: [DueDate] = []
    if case .calendar = rule { later = occurrences(after: due, limit: includesDue ? 2 : 3, in: rules ?? zone) }
    let dates = includesDue ? [due] + later : later
    return dates.isEmpty ? nil : dates.map { $0.shortText(today: today, in: zone) }.joined(separator: ", ")
  }
}
