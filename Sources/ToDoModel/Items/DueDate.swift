/// When an item is due: at an instant, or on a day.
public enum DueDate: Hashable, Sendable {
  /// At a moment that is the same everywhere.
  case time(Timestamp)
  /// On a calendar day, whichever time zone its reader is in.
  case date(CalendarDate)

  /// Whether the due date has passed.
  ///
  /// A time is overdue once `now` is later; a date only when that day has ended, so the caller says which day it
  /// is in the user's time zone.
  public func isOverdue(now: Timestamp, today: CalendarDate) -> Bool {
    switch self {
    case .time(let time): time < now
    case .date(let date): date < today
    }
  }

  /// Where the due date stands among others: the instant, or the last microsecond of the day in UTC.
  ///
  /// So an item due on a day comes after those due at some time of that day (in UTC). The order must be the same for
  /// every reader, so it can know no time zone.
  package var order: Timestamp {
    switch self {
    case .time(let time): time
    case .date(let date): Timestamp(microseconds: Int64(date.daysSinceEpoch + 1) * 86_400_000_000 - 1)
    }
  }
}
