import ToDoModel

/// A day named in words: `tomorrow`, `fri`, `next mon`, `weekend`, `end of month`.
enum Day: Equatable {
  /// A number of days after today.
  case fromToday(Int)
  /// The first such day after today.
  case coming(Weekday)
  /// Such a day in the week after the current one.
  case nextWeek(Weekday)
  /// Such a day in the current week.
  case thisWeek(Weekday)
  /// Today if it is a Saturday, or else the first Saturday after today.
  case weekend
  case startOfNextMonth
  case endOfMonth
  case startOfNextYear
  case endOfYear

  /// Consumes a day from the words, or nothing if they do not begin with one.
  init?(_ words: inout Words) {
    var rest = words
    guard let day = rest.takeTwo(Self.named) ?? Self.end(&rest) ?? rest.take(Self.named) else { return nil }
    words = rest
    self = day
  }

  private static func named(_ word: Substring) -> Day? {
    switch word {
    case "yesterday": .fromToday(-1)
    case "today": .fromToday(0)
    case "tomorrow": .fromToday(1)
    case "weekend": .weekend
    case "eow": .thisWeek(.sunday)
    case "eom": .endOfMonth
    case "eoy": .endOfYear
    default: Weekday(word).map(Self.coming)
    }
  }

  private static func named(_ first: Substring, _ second: Substring) -> Day? {
    switch (first, second) {
    case ("next", "week"): .nextWeek(.monday)
    case ("next", "weekend"): .nextWeek(.saturday)
    case ("next", "month"): .startOfNextMonth
    case ("next", "year"): .startOfNextYear
    case ("next", _): Weekday(second).map(Self.nextWeek)
    case ("this", "weekend"): .weekend
    case ("this", _): Weekday(second).map(Self.coming)
    default: nil
    }
  }

  /// Consumes `end of week`, `end of month` or `end of year`, with or without `the`.
  private static func end(_ words: inout Words) -> Day? {
    var rest = words
    guard rest.take("end"), rest.take("of") else { return nil }
    _ = rest.take("the")
    let ends: [Substring: Day] = ["week": .thisWeek(.sunday), "month": .endOfMonth, "year": .endOfYear]
    guard let day = rest.take({ ends[$0] }) else { return nil }
    words = rest
    return day
  }

  /// Returns the date, or `nil` outside the years 1 to 9999.
  func date(today: CalendarDate) -> CalendarDate? {
    let current = Weekday(of: today).rawValue
    switch self {
    case .fromToday(let days): return today.adding(days: days)
    case .coming(let weekday):
      let distance = (weekday.rawValue - current + 7) % 7
      return today.adding(days: distance == 0 ? 7 : distance)
    case .nextWeek(let weekday): return today.adding(days: 7 - current + weekday.rawValue)
    case .thisWeek(let weekday): return today.adding(days: weekday.rawValue - current)
    case .weekend: return today.adding(days: (Weekday.saturday.rawValue - current + 7) % 7)
    case .startOfNextMonth: return today.adding(days: 1 - today.day)?.adding(months: 1)
    case .endOfMonth: return Self.startOfNextMonth.date(today: today)?.adding(days: -1)
    case .startOfNextYear: return CalendarDate(year: today.year + 1, month: 1, day: 1)
    case .endOfYear: return CalendarDate(year: today.year, month: 12, day: 31)
    }
  }
}
