import ToDoModel

/// A day named in words: `tomorrow`, `fri`, `next mon`.
enum Day: Equatable {
  /// A number of days after today.
  case fromToday(Int)
  /// The first such day after today.
  case coming(Weekday)
  /// Such a day in the week after the current one.
  case nextWeek(Weekday)

  /// Consumes a day from the words, or nothing if they do not begin with one.
  init?(_ words: inout Words) {
    let next = words.takeTwo { $0 == "next" ? Weekday($1).map(Self.nextWeek) : nil }
    guard let day = next ?? words.take(Self.named) else { return nil }
    self = day
  }

  private static func named(_ word: Substring) -> Day? {
    switch word {
    case "yesterday": .fromToday(-1)
    case "today": .fromToday(0)
    case "tomorrow": .fromToday(1)
    default: Weekday(word).map(Self.coming)
    }
  }

  /// Returns the date, or `nil` outside the years 1 to 9999.
  func date(today: CalendarDate) -> CalendarDate? {
    let current = Weekday(of: today).rawValue
    switch self {
    case .fromToday(let days):
      return today.adding(days: days)
    case .coming(let weekday):
      let distance = (weekday.rawValue - current + 7) % 7
      return today.adding(days: distance == 0 ? 7 : distance)
    case .nextWeek(let weekday):
      return today.adding(days: 7 - current + weekday.rawValue)
    }
  }
}
