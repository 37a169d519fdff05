import ToDoModel

extension DateReader {
  /// Reads a holiday: `Christmas Eve`, `Easter Monday 2027`.
  func holiday(_ position: Int) -> DayMatch? {
    guard
      let match = take(position, { if case .holiday(let holiday) = $0 { holiday } else { nil } }) ?? advent(position)
    else { return nil }
    let end = match.end
    if end < words.count, words[end - 1].trailing.isEmpty, words[end].isNumber, let year = Int(words[end].key),
      (1900..<3000).contains(year)
    {
      return match.value.date(in: year).map { DayMatch(value: .date($0), hasYear: true, end: end + 1) }
    }
    return (today.year...today.year + 1).lazy.compactMap(match.value.date).first { $0 >= today }
      .map { DayMatch(value: .date($0), end: end) }
  }

  /// Reads `1. Advent`.
  private func advent(_ position: Int) -> (value: Holiday, end: Int)? {
    guard let number = ordinal(position), (1...4).contains(number.value), number.end < words.count,
      words[number.end].key == "advent"
    else { return nil }
    return (.advent(number.value), number.end + 1)
  }

  /// Reads the number of a week, which is its Monday: `KW 50`, `KW50`; `week 50` if `isAfterConnective`.
  func calendarWeek(_ position: Int, isAfterConnective: Bool) -> DayMatch? {
    guard position < words.count else { return nil }
    var (number, end) = (words[position].key[...], position + 1)
    if words[position].isNumber, words[position].trailing == ".", let after = skip(end, .calendarWeek) {
      // `50. KW`
      end = after
    } else if let start = skip(position, .calendarWeek) ?? (isAfterConnective ? skip(position, .span(.week)) : nil)
      ?? (isAfterConnective && number == "kw" ? position + 1 : nil)
    {
      guard start < words.count, words[start - 1].trailing.isEmpty, words[start].leading.isEmpty else { return nil }
      (number, end) = (words[start].key[...], start + 1)
    } else {
      guard number.hasPrefix("kw"), isAfterConnective || vocabulary.meanings(of: "kw").lexemes.contains(.calendarWeek)
      else { return nil }
      number = number.dropFirst(2)
    }
    guard let week = number.takeNumber(digits: 1...2), number.isEmpty, (1...53).contains(week) else { return nil }
    // `KW 48 und 50`
    if let and = skip(end, .and) ?? skip(end, .through), and < words.count, words[and].isNumber,
      words[and].core.count == 2, and + 1 == words.count
    {
      return nil
    }
    // A year has a week 53 at least every seven years.
    let mondays = (today.year - 1...today.year + 7).lazy.compactMap { self.monday(ofWeek: week, $0) }
    return mondays.first { $0.daysSinceEpoch + 6 >= today.daysSinceEpoch }
      .map { DayMatch(value: .date(max($0, today)), isSpan: true, end: end) }
  }

  /// Returns the Monday of a numbered week, which belongs to the year that its Thursday is in.
  private func monday(ofWeek week: Int, _ year: Int) -> CalendarDate? {
    // 4 January is in the first week.
    guard let day = CalendarDate(year: year, month: 1, day: 4),
      let monday = day.adding(days: 7 * (week - 1) - day.weekday), monday.adding(days: 3)?.year == year
    else { return nil }
    return monday
  }
}
