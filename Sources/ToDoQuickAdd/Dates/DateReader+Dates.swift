import ToDoModel

/// A date that may lack its year or its month.
struct CalendarForm {
  var year: Int?
  /// `nil` for the next month that has the day.
  var month: Int?
  var day: Int
  /// The time after the date.
  var time: TimeMatch?
  /// Whether it can hardly be anything else, unlike `5/1`.
  var isExplicit = true
  /// Whether only a word before it makes a day of it: `3.`.
  var isOrdinal = false
  /// The position after the date.
  var end: Int

  /// Returns the dates that are meant, the next one first; none if the date does not exist.
  func dates(from today: CalendarDate) -> [CalendarDate] {
    if let year, let month { return [CalendarDate(year: year, month: month, day: day)].compactMap(\.self) }
    if let month {
      // 29 February occurs at least every eight years.
      return (today.year...today.year + 8).compactMap { CalendarDate(year: $0, month: month, day: day) }
        .filter { $0 >= today }
    }
    return (0...12).compactMap { months in
      let month = today.month - 1 + months
      return CalendarDate(year: today.year + month / 12, month: month % 12 + 1, day: day)
    }.filter { $0 >= today }
  }
}

extension DateReader {
  /// Reads a day of the calendar: `28 nov`, `28/11/26`, `2026-11-28T17:00`, `the 5th of next month`.
  func calendarDay(_ position: Int) -> DayMatch? {
    guard let form = calendarForm(position) else { return nil }
    let value = form.dates(from: today).first.map(DayMatch.Value.date) ?? .impossible
    return DayMatch(
      value: value, time: form.time, hasYear: form.year != nil, isOrdinal: form.isOrdinal,
      isExplicit: form.isExplicit, end: form.end)
  }

  func calendarForm(_ position: Int) -> CalendarForm? {
    guard position < words.count else { return nil }
    return yearFirst(position) ?? dayFirst(position) ?? compactMonth(position) ?? namedMonth(position)
      ?? dayOfMonth(position)
  }

  // MARK: Digits

  /// Reads `2026-11-28`, `2026/12/03`, `2026-05-01T17:00`.
  private func yearFirst(_ position: Int) -> CalendarForm? {
    var rest = words[position].key[...]
    guard let year = rest.takeNumber(digits: 4...4), let separator = rest.popFirst(), "-/.".contains(separator),
      let month = rest.takeNumber(digits: 1...2), rest.popFirst() == separator,
      let day = rest.takeNumber(digits: 1...2)
    else { return nil }
    var form = CalendarForm(year: year, month: month, day: day, end: position + 1)
    if rest.first == "t", let time = Self.clock(String(rest.dropFirst())), !time.isBare,
      isDateOnly || time.offset == nil
    {
      (form.time, rest) = (time, "")
    }
    return rest.isEmpty ? form : nil
  }

  /// Reads `28.11.`, `28.11.26`, `28/11`, `28/11/2026`.
  private func dayFirst(_ position: Int) -> CalendarForm? {
    let word = words[position]
    var rest = word.key[...]
    guard let first = rest.takeNumber(digits: 1...2), first > 0, let separator = rest.popFirst(),
      "./-".contains(separator),
      let second = rest.takeNumber(digits: 1...2), let year = year(&rest, after: separator), rest.isEmpty
    else { return nil }
    let end = position + 1
    // `12-24` is a number of something.
    if separator == "-", year.value == nil || word.key.suffix(5).first != "-" { return nil }
    if separator != "." {
      // `24/25` is none.
      guard max(first, second) <= 31, min(first, second) <= 12 else { return nil }
      let isReversed = isMonthFirst ? first <= 12 : second > 12
      return CalendarForm(
        year: year.value, month: isReversed ? first : second, day: isReversed ? second : first,
        isExplicit: year.value != nil, end: end)
    }
    // `3.12` alone is a version where dates have no points; the point after `28.11.` may end the sentence.
    let isDotted = word.trailing.hasPrefix(".")
    guard second <= 12, isDotted || year.value != nil || vocabulary.hasDottedDates else { return nil }
    return CalendarForm(
      year: year.value, month: second, day: first,
      isExplicit: year.value != nil || (isDotted && vocabulary.hasDottedDates), end: end)
  }

  /// Consumes a year of two or four digits after another separator, or nothing.
  private func year(_ rest: inout Substring, after separator: Character) -> (value: Int?, Void)? {
    guard rest.first == separator else { return (nil, ()) }
    rest.removeFirst()
    guard let year = rest.takeNumber(digits: 2...4), year < 100 || year > 999 else { return nil }
    // `11/22/63` is a title or a date of birth.
    if year < 100, isDistant(2000 + year) { return nil }
    return (year < 100 ? 2000 + year : year, ())
  }

  /// Whether a sentence's two-digit year is rather in the last century.
  private func isDistant(_ year: Int) -> Bool { !isDateOnly && year > today.year + 30 }

  // MARK: Names of months

  /// Reads `28 nov`, `28th of november 2027`, `28. November`, `nov 28, 2027`.
  private func namedMonth(_ position: Int) -> CalendarForm? {
    guard var form = dayAndMonth(position) ?? monthAndDay(position) else { return nil }
    let of = skip(form.end, .of) ?? form.end
    if of < words.count, words[form.end - 1].trailing.allSatisfy({ $0 == "," }), words[of].isNumber,
      let year = Int(words[of].key), skip(of + 1, .times) == nil,
      isDateOnly ? words[of].key.count == 4 : (1900..<3000).contains(year)
    {
      (form.year, form.end) = (year, of + 1)
    } else if form.end < words.count, ["'", "’", "‘"].contains(words[form.end].leading), words[form.end].isNumber,
      words[form.end].key.utf8.count == 2, let year = Int(words[form.end].key)
    {
      // `dec 7 '26`; `dec 7 '98` is past.
      if isDistant(2000 + year) { return nil }
      (form.year, form.end) = (2000 + year, form.end + 1)
    } else if let year = yearInTwoDigits(form.end), month(form.end - 1) != nil {
      (form.year, form.end) = (year, form.end + 1)
    }
    return form
  }

  /// Reads the year in `27 jan 27`, which is one of the next ten.
  private func yearInTwoDigits(_ position: Int) -> Int? {
    guard position < words.count, words[position].isNumber, words[position].key.utf8.count == 2,
      words[position - 1].trailing.isEmpty, let year = Int(words[position].key),
      (0...10).contains(2000 + year - today.year), position + 1 == words.count || !words[position].trailing.isEmpty
    else { return nil }
    return 2000 + year
  }

  /// Reads `27-jan-27`, `27-Jan-2027`, `3/dec`, `1dec`.
  private func compactMonth(_ position: Int) -> CalendarForm? {
    var rest = words[position].key[...]
    guard let day = rest.takeNumber(digits: 1...2), (1...31).contains(day) else { return nil }
    let separator = rest.first.flatMap { "-/.".contains($0) ? $0 : nil }
    if separator != nil { rest.removeFirst() }
    let name = rest.prefix(while: \.isLetter)
    rest = rest.dropFirst(name.count)
    let month = vocabulary.meanings(of: String(name)).lexemes.lazy.compactMap { lexeme -> Int? in
      if case .month(let month) = lexeme { month } else { nil }
    }.first
    guard name.count > 2, let month else { return nil }
    guard let separator, rest.popFirst() == separator else {
      return rest.isEmpty ? CalendarForm(month: month, day: day, end: position + 1) : nil
    }
    guard let year = rest.takeNumber(digits: 2...4), rest.isEmpty, year < 100 || year > 999 else { return nil }
    return CalendarForm(year: year < 100 ? 2000 + year : year, month: month, day: day, end: position + 1)
  }

  private func dayAndMonth(_ position: Int) -> CalendarForm? {
    guard let day = dayNumber(position, afterParenthesis: true) ?? dayInWords(position),
      words[day.end - 1].trailing.allSatisfy({ $0 == "." }), !isBeforeDate(day.end)
    else { return nil }
    let of = words[day.end - 1].trailing.isEmpty ? skip(day.end, .of) : nil
    // `2 May Day buns`
    guard skip(of ?? day.end, .name) == nil else { return nil }
    return month(of ?? day.end).map { CalendarForm(month: $0.value, day: day.value, end: $0.end) }
  }

  /// Whether a number before a position is of something else, as a month is first: `watch game 7 Dec 5`.
  private func isBeforeDate(_ position: Int) -> Bool {
    guard words[position - 1].isNumber, let month = month(position), words[month.end - 1].trailing.isEmpty,
      let day = dayNumber(month.end), yearInTwoDigits(month.end) == nil
    else { return false }
    // `gate 22 Dec 5`
    if isWord(position - 2, .numbered) { return true }
    return !words[month.end].isNumber && words[month.end].trailing != "."
      || isMonthFirst && day.value <= 31 && time(month.end)?.isBare != false
  }

  /// Reads the number in `le trois décembre`.
  private func dayInWords(_ position: Int) -> (value: Int, end: Int)? {
    guard vocabulary.capitalDays == .never, position > 0,
      skip(position - 1, .article) == position || weekday(position - 1) != nil, let number = number(position),
      (2...31).contains(number.value), number.value == number.value.rounded()
    else { return nil }
    return (Int(number.value), number.end)
  }

  private func monthAndDay(_ position: Int) -> CalendarForm? {
    // `mar 21` is no English March in Italian.
    if vocabulary.capitalDays == .never, weekday(position) != nil { return nil }
    guard let month = month(position), words[month.end - 1].trailing.allSatisfy({ $0 == "." }),
      month.end == words.count || words[month.end].leading.isEmpty,
      let day = dayNumber((vocabulary.capitalDays == .never ? nil : skip(month.end, .article)) ?? month.end)
        ?? roughDay(month.end)
    else { return nil }
    return CalendarForm(month: month.value, day: day.value, end: day.end)
  }

  /// Reads `6ish` after a month.
  private func roughDay(_ position: Int) -> (value: Int, end: Int)? {
    guard position < words.count, words[position].beginsWithDigit, words[position].leading.isEmpty else { return nil }
    var rest = words[position].key[...]
    guard let day = rest.takeNumber(digits: 1...2), (1...31).contains(day), vocabulary.isWord(String(rest), .hourSuffix)
    else { return nil }
    return (day, position + 1)
  }

  /// Reads `28`, `28th` or `28.`.
  func dayNumber(_ position: Int, afterParenthesis: Bool = false) -> (value: Int, end: Int)? {
    if let match = ordinal(position, afterParenthesis: afterParenthesis), match.value > 0 { return match }
    guard position < words.count,
      words[position].leading == (afterParenthesis ? words[position].leading.prefix { $0 == "(" } : ""),
      words[position].isNumber,
      words[position].key.utf8.count <= 2, let number = Int(words[position].key), number > 0
    else { return nil }
    return (number, position + 1)
  }

  /// Reads `the 5th`, `the 5th of next month`, `3.`.
  private func dayOfMonth(_ position: Int) -> CalendarForm? {
    let start = skip(position, .article) ?? position
    guard start < words.count, let number = ordinal(start) ?? numberBeforeMonth(start), number.value > 0 else {
      return nil
    }
    let form =
      words[start].beginsWithDigit && ordinal(start) != nil
      ? CalendarForm(
        day: number.value, isExplicit: start > position, isOrdinal: words[start].isNumber, end: number.end) : nil
    // `15. nächsten Monats`
    let isGenitive = vocabulary.hasDottedDates && (skip(number.end, .next) ?? skip(number.end, .this)) != nil
    guard let of = isGenitive ? number.end : skip(number.end, .of) else { return form }
    let article = skip(of, .article) ?? of
    var (next, this) = (skip(article, .next), skip(article, .this))
    guard var end = skip(next ?? this ?? article, .unit(.month)) else { return form }
    if next == nil, this == nil, let later = skip(end, .next) { (next, end) = (later, later) }
    if next == nil, this == nil, let now = skip(end, .this) { (this, end) = (now, now) }
    guard let month = today.adding(days: 1 - today.day)?.adding(months: next == nil ? 0 : 1)
    else { return form }
    // `the 1st of the month` is the next one.
    if next == nil, this == nil { return CalendarForm(day: number.value, end: end) }
    return CalendarForm(year: month.year, month: month.month, day: number.value, end: end)
  }
  /// Reads the number in `le 5 du mois prochain`, where days are numbers without an ending.
  private func numberBeforeMonth(_ position: Int) -> (value: Int, end: Int)? {
    guard vocabulary.capitalDays == .never, let number = dayNumber(position), number.value <= 31,
      let of = skip(number.end, .of), skip(of, .unit(.month)) != nil
    else { return nil }
    return number
  }
}
