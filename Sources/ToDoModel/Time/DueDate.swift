/// The due date of an item: an instant or a calendar day.
public enum DueDate: Hashable, Sendable {
  /// An instant, which is the same in every time zone.
  case time(Timestamp)
  /// A calendar day, in the time zone of the reader.
  case date(CalendarDate)

  /// Whether the due date has passed.
  ///
  /// A time is overdue once `now` is later. A date is overdue once that day has ended, so `today` is the current day in
  /// the user's time zone.
  public func isOverdue(now: Timestamp, today: CalendarDate) -> Bool {
    switch self {
    case .time(let time): time < now
    case .date(let date): date < today
    }
  }

  /// The sort key: the instant, or the last microsecond of the day in UTC.
  ///
  /// An item due on a day therefore sorts after items due at a time on that day (in UTC). The order must be the same
  /// for every reader, so it cannot depend on a time zone.
  package var order: Timestamp {
    switch self {
    case .time(let time): time
    case .date(let date): Timestamp(microseconds: Int64(date.daysSinceEpoch + 1) * 86_400_000_000 - 1)
    }
  }
}
