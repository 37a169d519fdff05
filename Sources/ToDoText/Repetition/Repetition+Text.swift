package import ToDoModel

extension Repetition.Rule {
  /// Returns the rule in words, such as `every 2 weeks on Mon and Thu` or `3 days after it is done`.
  ///
  /// `RepetitionParser` reads the words as the same rule, if they are those of a rule that it can read.
  ///
  /// - Parameter zone: the time zone in which a rule ends.
  package func words(in zone: any TimeZoneRules) -> String {
    switch self {
    case .calendar(let rule): rule.words(in: zone)
    case .afterDone(let interval): "\(interval.count) \(interval.unit.unit(interval.count)) after it is done"
    }
  }
}

extension RecurrenceRule.Frequency {
  fileprivate func unit(_ count: Int) -> String {
    let name =
      switch self {
      case .daily: "day"
      case .weekly: "week"
      case .monthly: "month"
      case .yearly: "year"
      }
    return count == 1 ? name : name + "s"
  }
}

extension RecurrenceRule {
  fileprivate func words(in zone: any TimeZoneRules) -> String {
    guard let season, let days = shortDays ?? days.map({ every + ($0.isEmpty ? "" : " on \($0)") }) else {
      return description
    }
    return days + season + endWords(in: zone)
  }

  /// The months of days that are not counted in a year: ` from Apr to Oct every year`. `nil` if no words are known for them.
  private var season: String? {
    guard !months.isEmpty, frequency != .yearly else { return "" }
    // A season can go over the end of a year.
    let starts = months.filter { !months.contains(($0 + 10) % 12 + 1) }
    let ends = months.filter { !months.contains($0 % 12 + 1) }
    guard months.count > 1, starts.count == 1, ends.count == 1 else { return nil }
    return " from \(CalendarDate.monthNames[starts[0] - 1]) to \(CalendarDate.monthNames[ends[0] - 1]) every year"
  }

  private func endWords(in zone: any TimeZoneRules) -> String {
    switch end {
    case nil: return ""
    case .count(let count): return ", \(count) \(count == 1 ? "time" : "times") in all"
    case .until(.date(let day)): return " until \(day.dayAndMonth) \(day.year)"
    case .until(.time(let time)):
      let day = zone.localTime(at: time).date
      return " until \(day.map { "\($0.dayAndMonth) \($0.year)" } ?? time.description)"
    }
  }

  /// The interval: `every 2 weeks`.
  private var every: String {
    interval == 1 ? "every \(frequency.unit(1))" : "every \(interval) \(frequency.unit(interval))"
  }

  /// The days after `every`, if they say it without the unit: `every Tuesday`, `every first Monday`.
  private var shortDays: String? {
    guard interval == 1, monthDays.isEmpty, !weekdays.isEmpty else { return nil }
    if frequency == .weekly, weekdays.allSatisfy({ $0.ordinal == 0 }) {
      return weekdays.map(\.day) == [0, 1, 2, 3, 4] ? "every weekday" : "every \(Self.list(weekdays))"
    }
    guard frequency == .monthly, months.isEmpty, let ordinals = sameWeekdayOrdinals else { return nil }
    // `every second Friday` alone could be every other one.
    let month = ordinals == [2] ? " of the month" : ""
    return "every \(ordinals.map(Self.ordinalWord).inSentence) \(Self.name(weekdays[0].day))\(month)"
  }

  /// The days after `on`; empty if the rule has none, or `nil` if no words are known for them.
  private var days: String? {
    switch frequency {
    case .daily: return weekdays.isEmpty && monthDays.isEmpty ? "" : nil
    case .weekly:
      guard monthDays.isEmpty, weekdays.allSatisfy({ $0.ordinal == 0 }) else { return nil }
      return weekdays.isEmpty ? "" : Self.list(weekdays)
    case .monthly:
      return countedDays
    case .yearly: return daysOfYear
    }
  }

  /// The days of a month: `the 1st and 15th`, `the last day`, `the first Monday`.
  private var countedDays: String? {
    switch (weekdays.isEmpty, monthDays.isEmpty) {
    case (true, true): return ""
    case (false, false): return nil
    case (true, false):
      if monthDays == [-1] { return "the last day" }
      guard monthDays.allSatisfy({ $0 > 0 }) else { return nil }
      return "the \(monthDays.map(Self.ordinal).inSentence)" + clampNote
    case (false, true):
      return sameWeekdayOrdinals.map { "the \($0.map(Self.ordinalWord).inSentence) \(Self.name(weekdays[0].day))" }
    }
  }

  private var daysOfYear: String? {
    guard !months.isEmpty else { return weekdays.isEmpty && monthDays.isEmpty ? "" : nil }
    if weekdays.isEmpty, monthDays.count == 1, monthDays[0] > 0 {
      return months.map { "\(monthDays[0]) \(CalendarDate.monthNames[$0 - 1])" }.inSentence + clampNote
    }
    guard monthDays.isEmpty, months.count == 1, sameWeekdayOrdinals != nil, let days = countedDays else { return nil }
    return "\(days) of \(CalendarDate.monthNames[months[0] - 1])"
  }

  /// The words for months that do not have the day; empty if all have it.
  private var clampNote: String {
    guard monthDays.contains(where: { $0 > 28 }) else { return "" }
    return clampsMonthDays ? " (or the last day)" : " (if there is one)"
  }

  /// The ordinals of the days, if all are the same weekday.
  private var sameWeekdayOrdinals: [Int]? {
    guard let first = weekdays.first,
      weekdays.allSatisfy({ $0.day == first.day && Self.ordinalWords[$0.ordinal] != nil })
    else { return nil }
    // The last one is said last.
    return weekdays.map(\.ordinal).sorted { ($0 < 0 ? 9 : $0) < ($1 < 0 ? 9 : $1) }
  }

  // MARK: Words

  /// Returns `Tuesday`, or short names of several: `Mon, Wed and Fri`.
  private static func list(_ weekdays: [Weekday]) -> String {
    weekdays.count == 1 ? name(weekdays[0].day) : weekdays.map { String(name($0.day).prefix(3)) }.inSentence
  }

  private static func name(_ day: Int) -> String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][day]
  }

  private static let ordinalWords = [1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"]

  private static func ordinalWord(_ number: Int) -> String { ordinalWords[number] ?? "" }

  /// Returns `1st`, `22nd`, `13th`.
  private static func ordinal(_ number: Int) -> String {
    let suffix = (11...13).contains(number) ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    return "\(number)\(suffix)"
  }
}

extension [String] {
  /// The elements with commas and `and` between them.
  fileprivate var inSentence: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
