import ToDoModel

/// Parses the value of the filter `--due`: `today`, `week`, `overdue`, `none`, `before WHEN`, or a day.
struct DueFilterParser {
  let dates: DueDateParser

  /// The accepted values, for help and errors.
  static let acceptedForms = "today, week, overdue, none, 'before <when>' or a day"

  /// Parses a filter.
  ///
  /// - Throws: `Failure`, `DueDateError`.
  func parse(_ text: String) throws -> DueFilter {
    let today = dates.zone.localTime(at: dates.now).date ?? .epoch
    let words = text.lowercased().split(separator: " ", maxSplits: 1)
    switch words.first {
    case "none" where words.count == 1: return .unset
    case "overdue" where words.count == 1: return .within(DueRange(end: dates.now, endDate: today))
    case "week" where words.count == 1: return .within(range(from: today, days: 8))
    case "before":
      guard words.count == 2 else {
        throw Failure.usage("'--due before' needs a date or time, as in '--due \"before fri\"'")
      }
      return .within(range(before: try dates.parse(String(text.split(separator: " ", maxSplits: 1)[1]))))
    default:
      guard case .date(let day) = try dates.parse(text) else {
        throw Failure.usage("'\(text.escapingControls())' is not a day; use \(Self.acceptedForms)")
      }
      return .within(range(from: day, days: 1))
    }
  }

  /// The due dates on several days, in the time zone of the reader.
  private func range(from day: CalendarDate, days: Int) -> DueRange {
    let end = day.adding(days: days)
    return DueRange(start: start(of: day), end: end.flatMap(start), startDate: day, endDate: end)
  }

  private func range(before due: DueDate) -> DueRange {
    switch due {
    case .date(let day): DueRange(end: start(of: day), endDate: day)
    case .time(let time): DueRange(end: time, endDate: dates.zone.localTime(at: time).date)
    }
  }

  private func start(of day: CalendarDate) -> Timestamp? {
    let start = dates.zone.instant(at: LocalTime(day, TimeOfDay(hour: 0)))
    return Timestamp.supportedRange.contains(start) ? start : nil
  }
}
