import ToDoModel

extension Span {
  /// Returns all days of the span that contains `today`, or of one a number of spans later. Weeks begin on Monday.
  func days(today: CalendarDate, offset: Int = 0) -> ClosedRange<CalendarDate>? {
    let first: CalendarDate?, last: CalendarDate?
    switch self {
    case .week:
      first = today.adding(days: 7 * offset - today.weekday)
      last = first?.adding(days: 6)
    case .weekend:
      first = today.adding(days: 7 * offset + 5 - today.weekday)
      last = first?.adding(days: 1)
    case .month:
      first = today.adding(days: 1 - today.day)?.adding(months: offset)
      last = first?.adding(months: 1)?.adding(days: -1)
    case .year:
      first = CalendarDate(year: today.year + offset, month: 1, day: 1)
      last = CalendarDate(year: today.year + offset, month: 12, day: 31)
    }
    guard let first, let last else { return nil }
    return first...last
  }
}
