package import ToDoModel

extension DueDate {
  /// Returns the unambiguous form, such as `Fri 2026-05-01` or `Fri 2026-05-01 17:00 CEST`.
  package func absoluteText(in zone: any TimeZoneRules) -> String {
    switch self {
    case .date(let date):
      return "\(Weekday(of: date).shortName) \(date)"
    case .time(let instant):
      let local = zone.localTime(at: instant)
      guard let date = local.date else { return instant.description }
      return "\(Weekday(of: date).shortName) \(date) \(local.time) \(zone.offset(at: instant).name)"
    }
  }

  /// Returns the short form relative to today, such as `today 17:00`, `tomorrow`, `Fri 1 May`, or `2027-01-03` in another
  /// year.
  package func shortText(today: CalendarDate, in zone: any TimeZoneRules) -> String {
    switch self {
    case .date(let date):
      return date.shortText(today: today)
    case .time(let instant):
      let local = zone.localTime(at: instant)
      return local.date.map { "\($0.shortText(today: today)) \(local.time)" } ?? instant.description
    }
  }

  /// Returns the form that confirms what was read, such as `tomorrow, Wed 25 Nov, 19:00`, `Fri 1 May` or `Fri 1 Jan 2027`.
  package func confirmationText(today: CalendarDate, in zone: any TimeZoneRules) -> String {
    switch self {
    case .date(let date): return date.confirmationText(today: today)
    case .time(let instant):
      let local = zone.localTime(at: instant)
      guard let date = local.date else { return instant.description }
      // Without the name of its offset, a time that occurs twice is the first.
      let isSecond = zone.instant(at: local) != instant
      return "\(date.confirmationText(today: today)), \(local.time)"
        + (isSecond ? " \(zone.offset(at: instant).name)" : "")
    }
  }
}

extension Timestamp {
  /// Returns the unambiguous form, such as `Fri 2026-05-01 17:00 CEST`.
  func absoluteText(in zone: any TimeZoneRules) -> String {
    DueDate.time(self).absoluteText(in: zone)
  }
}

extension CalendarDate {
  fileprivate func shortText(today: CalendarDate) -> String {
    switch daysSinceEpoch - today.daysSinceEpoch {
    case -1: "yesterday"
    case 0: "today"
    case 1: "tomorrow"
    default: year == today.year ? dayText : description
    }
  }

  fileprivate func confirmationText(today: CalendarDate) -> String {
    let day = year == today.year ? dayText : "\(dayText) \(year)"
    return switch daysSinceEpoch - today.daysSinceEpoch {
    case -1: "yesterday, \(day)"
    case 0: "today, \(day)"
    case 1: "tomorrow, \(day)"
    default: day
    }
  }

  /// The weekday, the day and the month, such as `Fri 1 May`.
  private var dayText: String { "\(Weekday(of: self).shortName) \(dayAndMonth)" }

  /// The day and the month, such as `1 May`.
  var dayAndMonth: String { "\(day) \(Self.monthNames[month - 1])" }

  /// The short names of the months.
  static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

// MARK: - Time

extension DueDate {
  /// Returns this day with another due date's time of day, and that time; `nil` if this is a time, or the other is not.
  package func keepingTime(of other: DueDate?, in zone: any TimeZoneRules) -> (due: DueDate, time: TimeOfDay)? {
    guard case .date(let day) = self, case .time(let instant) = other else { return nil }
    let time = zone.localTime(at: instant).time
    let kept = zone.instant(at: LocalTime(day, time))
    return Timestamp.supportedRange.contains(kept) ? (.time(kept), time) : nil
  }
}
