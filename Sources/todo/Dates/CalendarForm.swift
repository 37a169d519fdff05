import ToDoModel

/// A date as people write it: `28 nov`, `nov 28, 2027`, `28.11.`, `28/11`, `3rd`, `first mon of may`.
enum CalendarForm: Equatable {
  case date(CalendarDate)
  case dayOfYear(month: Int, day: Int)
  case dayOfMonth(Int)
  /// The first to fifth such weekday of a month; 0 for the last one.
  case weekdayOfMonth(Int, Weekday, month: Int)

  /// Consumes a date from the words, or nothing if they do not begin with one.
  ///
  /// - Parameter monthFirst: whether `5/1` is a day of May.
  init?(_ words: inout Words, monthFirst: Bool) {
    var rest = words
    guard
      let form = rest.take({ Self.numeric($0, monthFirst: monthFirst) }) ?? Self.weekday(&rest)
        ?? Self.named(&rest) ?? Self.ordinal(&rest)
    else { return nil }
    words = rest
    self = form
  }

  /// Returns the date that is meant: with a weekday, the one of this year or the next that has it; otherwise the first that
  /// is not past.
  func date(today: CalendarDate, _ weekday: Weekday? = nil) -> CalendarDate? {
    let dates = candidates(today: today)
    if case .date(let date) = self { return weekday == nil || Weekday(of: date) == weekday ? date : nil }
    guard let weekday else { return dates.first { $0 >= today } }
    return dates.first { $0.year <= today.year + 1 && Weekday(of: $0) == weekday }
  }

  private func candidates(today: CalendarDate) -> [CalendarDate] {
    // 29 February occurs at least every eight years.
    let years = today.year...(today.year + 8)
    switch self {
    case .date(let date): return [date]
    case .dayOfYear(let month, let day):
      return years.compactMap { CalendarDate(year: $0, month: month, day: day) }
    case .dayOfMonth(let day):
      return (0...12).compactMap { months in
        let month = today.month - 1 + months
        return CalendarDate(year: today.year + month / 12, month: month % 12 + 1, day: day)
      }
    case .weekdayOfMonth(let number, let weekday, let month):
      return years.compactMap { CalendarDate(number, weekday, ofMonth: month, $0) }
    }
  }

  // MARK: Forms

  /// Parses `28.11.`, `1.5.2027`, `28/11` or `28/11/2027`.
  private static func numeric(_ word: Substring, monthFirst: Bool) -> CalendarForm? {
    var rest = word
    guard let first = rest.takeNumber(), let separator = rest.first, separator == "." || separator == "/" else {
      return nil
    }
    rest.removeFirst()
    guard let second = rest.takeNumber() else { return nil }
    let isReversed = separator == "/" && (monthFirst ? first <= 12 : second > 12)
    let (day, month) = isReversed ? (second, first) : (first, second)
    if separator == ".", !rest.take(".") { return nil }
    if rest.isEmpty { return dayOfYear(month, day) }
    if separator == "/", !rest.take("/") { return nil }
    guard rest.count == 4, let year = rest.takeNumber(digits: 4) else { return nil }
    return CalendarDate(year: year, month: month, day: day).map(CalendarForm.date)
  }

  /// Consumes `28 nov`, `28th of november 2027` or `nov 28, 2027`.
  private static func named(_ words: inout Words) -> CalendarForm? {
    var rest = words
    let day: Int, month: Int
    if let number = rest.take(dayNumber) {
      _ = rest.take("of")
      guard let name = rest.take(monthNumber) else { return nil }
      (day, month) = (number, name)
    } else {
      guard let name = rest.take(monthNumber), let number = rest.take(dayNumber) else { return nil }
      (day, month) = (number, name)
    }
    let year = rest.take { word -> Int? in
      var word = word
      return word.count == 4 ? word.takeNumber(digits: 4) : nil
    }
    guard
      let form = year.map({ CalendarDate(year: $0, month: month, day: day).map(CalendarForm.date) })
        ?? dayOfYear(month, day)
    else { return nil }
    words = rest
    return form
  }

  /// Consumes `3rd` or `the 3rd`.
  private static func ordinal(_ words: inout Words) -> CalendarForm? {
    var rest = words
    _ = rest.take("the")
    guard let day = rest.take(ordinalNumber), (1...31).contains(day) else { return nil }
    words = rest
    return .dayOfMonth(day)
  }

  /// Consumes `first mon of may` or `last fri of november`.
  private static func weekday(_ words: inout Words) -> CalendarForm? {
    var rest = words
    let names = ["last": 0, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5]
    guard let number = rest.take({ names[String($0)] ?? ordinalNumber($0) }), number <= 5,
      let weekday = rest.take({ Weekday($0) }), rest.take("of"), let month = rest.take(monthNumber)
    else { return nil }
    words = rest
    return .weekdayOfMonth(number, weekday, month: month)
  }

  private static func dayOfYear(_ month: Int, _ day: Int) -> CalendarForm? {
    // 2028 is a leap year.
    CalendarDate(year: 2028, month: month, day: day) == nil ? nil : .dayOfYear(month: month, day: day)
  }

  // MARK: Words

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Parses the English name of a month, or a prefix of it with at least three letters.
  private static func monthNumber(_ word: Substring) -> Int? {
    let name = word.last == "." || word.last == "," ? word.dropLast() : word
    guard name.count >= 3 else { return nil }
    return months.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
  }

  /// Parses `28`, `28.`, `28,` or `28th`.
  private static func dayNumber(_ word: Substring) -> Int? {
    var rest = word.last == "." || word.last == "," ? word.dropLast() : word
    if let number = ordinalNumber(rest) { return number }
    guard let number = rest.takeNumber(), rest.isEmpty, number <= 31 else { return nil }
    return number
  }

  /// Parses `1st`, `2nd`, `3rd` or `4th`.
  private static func ordinalNumber(_ word: Substring) -> Int? {
    var rest = word
    guard let number = rest.takeNumber(), ["st", "nd", "rd", "th"].contains(rest), (1...31).contains(number) else {
      return nil
    }
    return number
  }
}

extension CalendarDate {
  /// Creates the first to fifth such weekday of a month, or the last one for 0.
  fileprivate init?(_ number: Int, _ weekday: Weekday, ofMonth month: Int, _ year: Int) {
    let days = (1...31).compactMap { CalendarDate(year: year, month: month, day: $0) }.filter {
      Weekday(of: $0) == weekday
    }
    guard let date = number == 0 ? days.last : days.dropFirst(number - 1).first else { return nil }
    self = date
  }

  /// Returns the same day a number of months later, or the last day of that month if it is shorter.
  func adding(months: Int) -> CalendarDate? {
    guard (-120_000...120_000).contains(months) else { return nil }
    let month = year * 12 + self.month - 1 + months
    guard month >= 12 else { return nil }
    return (28...31).reversed().lazy.map { min($0, day) }
      .compactMap { CalendarDate(year: month / 12, month: month % 12 + 1, day: $0) }.first
  }
}
