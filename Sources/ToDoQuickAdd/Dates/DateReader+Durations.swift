import ToDoModel

extension DateReader {
  /// Reads a duration: `3d`, `90min`, `2 weeks`, `half an hour`.
  func duration(_ position: Int) -> (number: Double, unit: Unit, end: Int)? {
    guard position < words.count else { return nil }
    // `3D` is none.
    if words[position].isLowercase,
      let amount = hoursAndMinutes(words[position].key) ?? amount(words[position].key[...])
    {
      return (amount.number, amount.unit, position + 1)
    }
    if let single = unit(position),
      [.halfHour, .quarterHour].contains(single.value) || words[position].key.hasPrefix("un'")
    {
      return withMinutes(1, single.value, single.end)
    }
    guard var number = fractionOfUnit(position) ?? number(position) else { return nil }
    // `two and a half hours`
    if let half = halfAfter(number.end), unit(half) != nil { number = (number.value + 0.5, half) }
    guard let unit = unit(number.end) else { return nil }
    // `28 Days Later` is a name.
    if position > 0, words[number.end].beginsUppercase, vocabulary.capitalDays != .asNouns,
      !words[number.end].isAllUppercase
    {
      return nil
    }
    return withMinutes(number.value, unit.value, unit.end)
  }

  /// Reads `1/2` or `3/4` before a unit.
  private func fractionOfUnit(_ position: Int) -> (value: Double, end: Int)? {
    let fractions = ["1/2": 0.5, "1/4": 0.25, "3/4": 0.75, "½": 0.5, "¼": 0.25, "¾": 0.75]
    return fractions[words[position].key].map { ($0, position + 1) }
  }

  /// Reads what belongs to a duration of hours or weeks: `an hour and a half`, `2 hours and 15 minutes`.
  private func withMinutes(_ number: Double, _ unit: Unit, _ end: Int) -> (number: Double, unit: Unit, end: Int) {
    guard [.hour, .week].contains(unit), words[end - 1].trailing.isEmpty else { return (number, unit, end) }
    if let half = halfAfter(end) { return (number + 0.5, unit, half) }
    if unit == .hour, let minutes = self.number(skip(end, .and) ?? end), skip(minutes.end, .unit(.minute)) != nil {
      return (number * 60 + minutes.value, .minute, minutes.end + 1)
    }
    return (number, unit, end)
  }

  /// Returns the position after `and a half`.
  private func halfAfter(_ position: Int) -> Int? {
    guard let and = skip(position, .and) else { return nil }
    return skip(and, .half) ?? (number(and).flatMap { $0.value == 1 ? skip($0.end, .half) : nil })
  }

  /// Reads a day that is a duration after today: `in two weeks`, `3 days from now`, `+2h`, `two days ago`.
  func shiftedDay(_ position: Int) -> DayMatch? {
    if words[position].text.hasPrefix("+") { return signedDay(position) }
    if let ahead = skip(position, .ahead) ?? skip(position, .within), let duration = duration(ahead) {
      let isBeforeTime = duration.end < words.count && words[duration.end].key == "time"
      let end = skip(duration.end, .fromNow) ?? (isBeforeTime ? duration.end + 1 : duration.end)
      return day(after: duration.number, duration.unit, end: end)
    }
    guard let duration = duration(position) else { return weekBeforeDay(position) }
    if let end = skip(duration.end, .fromNow) { return day(after: duration.number, duration.unit, end: end) }
    if let end = skip(duration.end, .ago) { return day(after: -duration.number, duration.unit, end: end) }
    return dayWeeksAfter(duration)
  }

  /// Reads a time before or after a day: `the day before Dec 9`, `a week after Easter`, `the night before the 9th`.
  func dayBesideDay(_ position: Int) -> DayMatch? {
    guard !isDateOnly, position < words.count else { return nil }
    let start = part(position) == nil ? skip(position, .article) ?? skip(position, .on) ?? position : position
    let single = unit(start).flatMap { $0.value == .day || $0.value == .week ? (1.0, $0.value, $0.end) : nil }
    if let day = weekdayBesideDay(start) { return day }
    // `call Eve before Christmas`
    let night = part(start).flatMap { words[start].text == "Eve" ? nil : (1.0, Unit.day, $0.end) }
    guard let (number, unit, end) = duration(position).map({ ($0.number, $0.unit, $0.end) }) ?? single ?? night,
      words[end - 1].trailing.isEmpty, let beside = skip(end, .before) ?? skip(end, .after), words[end].leading.isEmpty,
      beside < words.count, words[beside].leading.isEmpty
    else { return nil }
    let isBefore = skip(end, .before) != nil
    let other = skip(beside, .article) ?? beside
    guard let day = holiday(other) ?? self.day(other) ?? self.day(beside), let date = day.date, !day.isSpan else {
      return nil
    }
    // `extend it by 2 years before friday`
    if [.month, .year].contains(unit), position > 0, isWord(position - 1, .dangling) { return nil }
    return date.adding(isBefore ? -number : number, unit).map {
      DayMatch(value: .date($0), part: night == nil ? nil : part(start)?.value, end: day.end)
    }
  }

  /// Reads a day of the week before or after a day that has none: `the monday after thanksgiving`, `Freitag vor Weihnachten`.
  private func weekdayBesideDay(_ position: Int) -> DayMatch? {
    guard let weekday = weekday(position), words[weekday.end - 1].trailing.isEmpty,
      let beside = skip(weekday.end, .before) ?? skip(weekday.end, .after)
    else { return nil }
    let isBefore = skip(weekday.end, .before) != nil
    let other = skip(beside, .article) ?? beside
    guard let day = holiday(other) ?? calendarDay(other) ?? calendarDay(beside), let date = day.date,
      day.weekday == nil,
      !day.isOrdinal
    else { return nil }
    let days = isBefore ? -((date.weekday - weekday.value + 6) % 7 + 1) : (weekday.value - date.weekday + 6) % 7 + 1
    return date.adding(days: days).map { DayMatch(value: .date($0), end: day.end) }
  }

  /// Returns the position after a duration that ends on no day, beside one (`2 hours before friday`,
  /// `two and a half weeks from friday`), or beside a time, as `2 hours before 5pm` may last so long.
  func durationWithoutDay(_ position: Int) -> Int? {
    guard !isDateOnly, dayBesideDay(position) == nil, let duration = duration(position),
      words[duration.end - 1].trailing.isEmpty, duration.end < words.count,
      position == 0 || !isWord(position - 1, .dangling)
    else { return nil }
    let isFrom = words[duration.end].key == "from"
    guard let beside = skip(duration.end, .before) ?? skip(duration.end, .after) ?? (isFrom ? duration.end + 1 : nil),
      !isFrom || skip(duration.end, .fromNow) == nil
    else { return nil }
    let other = skip(beside, .article) ?? beside
    if [.minute, .hour].contains(duration.unit), !isFrom, let time = time(beside),
      !time.isBare || words[beside].key.hasSuffix("h")
    {
      return time.end
    }
    guard let day = holiday(other) ?? self.day(other) ?? self.day(beside), let date = day.date, !day.isSpan,
      // `rent a car 3 days from friday`
      (isFrom && duration.unit == .day) || date.adding(duration.number, duration.unit) == nil
    else { return nil }
    return day.end
  }

  /// Reads a duration before what is due, at the end of a sentence: `1h before`.
  func durationBefore(_ position: Int) -> Int? {
    guard !isDateOnly, words.last?.key == "before", let duration = duration(position),
      words[duration.end - 1].trailing.isEmpty, duration.end == words.count - 1
    else { return nil }
    return words.count
  }

  /// Reads weeks before a day: `a week from friday`, `a week on friday`, `a fortnight tomorrow`.
  private func dayWeeksAfter(_ duration: (number: Double, unit: Unit, end: Int)) -> DayMatch? {
    guard [.week, .fortnight].contains(duration.unit), duration.end < words.count,
      words[duration.end - 1].trailing.isEmpty
    else { return nil }
    // `twice a week tomorrow`
    let start = duration.end - 3
    if start >= 0, ["once", "twice", "times"].contains(words[start].key) { return nil }
    let weeks = duration.unit == .week ? duration.number : 2 * duration.number
    let isFrom = words[duration.end].key == "from"
    let hasPreposition = isFrom || words[duration.end].key == "on"
    guard weeks < (hasPreposition ? Self.maximumNumber : 3), weeks == weeks.rounded(),
      let day = day(hasPreposition ? duration.end + 1 : duration.end),
      day.weekday != nil || isFrom || (!hasPreposition && relative(duration.end)?.end == day.end),
      let date = day.date?.adding(days: Int(weeks) * 7)
    else { return nil }
    return DayMatch(value: .date(date), end: day.end)
  }

  /// Reads `week on friday`, `fortnight tomorrow`.
  private func weekBeforeDay(_ position: Int) -> DayMatch? {
    guard position > 0, let unit = unit(position), [.week, .fortnight].contains(unit.value), unit.end < words.count,
      unit.value == .fortnight || words[unit.end].key == "on", number(position - 1) == nil
    else { return nil }
    return dayWeeksAfter((1, unit.value, unit.end))
  }

  /// Reads a duration as a day after today: `3d`, `90min`.
  func dayAfterDuration(_ position: Int) -> DayMatch? {
    duration(position).flatMap { day(after: $0.number, $0.unit, end: $0.end) }
  }

  /// Reads `+3d` or `+3 days`.
  private func signedDay(_ position: Int) -> DayMatch? {
    let text = words[position].key.dropFirst()
    if let amount = amount(text) { return day(after: amount.number, amount.unit, end: position + 1) }
    guard let number = Double(text), let unit = unit(position + 1) else { return nil }
    return day(after: number, unit.value, end: unit.end)
  }

  func unit(_ position: Int) -> (value: Unit, end: Int)? {
    // `Mo` is a day, not a month.
    guard position < words.count, words[position].key.count > 2 || words[position].isLowercase else { return nil }
    return take(position) { if case .unit(let unit) = $0 { unit } else { nil } }
  }

  /// Parses `1h30`.
  private func hoursAndMinutes(_ key: String) -> (number: Double, unit: Unit)? {
    var rest = key[...]
    guard let hours = rest.takeNumber(digits: 1...2), rest.popFirst() == "h",
      let minutes = rest.takeNumber(digits: 2...2),
      minutes < 60, ["", "m", "min"].contains(rest)
    else { return nil }
    return (Double(hours * 60 + minutes), .minute)
  }

  /// Parses `3d` or `90min`.
  private func amount(_ text: Substring) -> (number: Double, unit: Unit)? {
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "," }
    guard !digits.isEmpty, digits.count < text.count, let number = Double(withPoint: digits) else {
      return nil
    }
    return vocabulary.meanings(of: String(text[digits.endIndex...])).lexemes.lazy.compactMap { lexeme in
      if case .unit(let unit) = lexeme { (number, unit) } else { nil }
    }.first
  }

  /// A number of units beyond which no date is supported.
  private static let maximumNumber = 10_000_000.0

  private func day(after number: Double, _ unit: Unit, end: Int) -> DayMatch? {
    guard abs(number) < Self.maximumNumber else { return nil }
    func minutes(_ factor: Double) -> DayMatch.Value { .minutes(Int((number * factor).rounded())) }
    func days(_ factor: Double) -> DayMatch.Value? { today.adding(days: Int(number * factor)).map { .date($0) } }
    let value: DayMatch.Value? =
      switch unit {
      case .minute: minutes(1)
      case .quarterHour: minutes(15)
      case .halfHour: minutes(30)
      case .hour: minutes(60)
      case .day: days(1)
      case .week: days(7)
      case .fortnight: days(14)
      case .month: number == 0.5 ? days(30) : today.adding(months: Int(number)).map { .date($0) }
      case .year: today.adding(months: Int(number * 12)).map { .date($0) }
      }
    return value.map { DayMatch(value: $0, end: end) }
  }
}

extension CalendarDate {
  /// Returns the day a number of units later, if they are whole days.
  fileprivate func adding(_ number: Double, _ unit: Unit) -> CalendarDate? {
    func whole(_ factor: Double) -> Int? {
      let product = number * factor
      return product == product.rounded() && abs(product) < 10_000_000 ? Int(product) : nil
    }
    return switch unit {
    case .day: whole(1).flatMap { adding(days: $0) }
    case .week: whole(7).flatMap { adding(days: $0) }
    case .fortnight: whole(14).flatMap { adding(days: $0) }
    case .month: whole(1).flatMap { adding(months: $0) }
    case .year: whole(12).flatMap { adding(months: $0) }
    case .minute, .quarterHour, .halfHour, .hour: nil
    }
  }
}
