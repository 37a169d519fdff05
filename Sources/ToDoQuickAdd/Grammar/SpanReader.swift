import ToDoModel

/// Reads days from one to another: `next week`, `after fri`, `mon..fri`.
struct SpanReader {
  /// A reader of dates only.
  let reader: DateReader

  private var words: [Word] { reader.words }

  func span(_ text: String) -> DueSpan? {
    if let range = rangeInDots(text) { return range }
    if let rest = reader.skip(0, .before), let span = days(words[rest...]) ?? time(words[rest...]) {
      return DueSpan(end: span.start)
    }
    if let rest = reader.skip(0, .after) {
      if let days = days(words[rest...]) { return DueSpan(start: days.end) }
      return time(words[rest...]).map { DueSpan(start: $0.start) }
    }
    return days(words[...]) ?? rangeInWords()
  }

  // MARK: Ranges

  /// Reads `mon..fri`, `28 nov..`, `..3 dec`.
  private func rangeInDots(_ text: String) -> DueSpan? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    let first = text[..<dots.lowerBound], last = text[dots.upperBound...].drop { $0 == "." }
    return range(Self.words(first), Self.words(last))
  }

  /// Reads `mon to fri`.
  private func rangeInWords() -> DueSpan? {
    words.indices.dropFirst().lazy.compactMap { position in
      reader.skip(position, .through).flatMap { $0 < words.count ? range(words[..<position], words[$0...]) : nil }
    }.first
  }

  /// Returns the days from the first to the last one, which is the next such day after the first if it would be before it.
  private func range(_ first: ArraySlice<Word>, _ last: ArraySlice<Word>) -> DueSpan? {
    if first.isEmpty { return days(last).map { DueSpan(end: $0.end) } }
    guard let start = days(first)?.start else { return nil }
    if last.isEmpty { return DueSpan(start: start) }
    guard case .day(let day) = start, case .day(var end) = days(last)?.end else { return nil }
    if end <= day {
      guard case .day(let next) = days(last, today: day)?.end else { return nil }
      end = next
    }
    return end > day ? DueSpan(start: start, end: .day(end)) : nil
  }

  // MARK: Days

  /// Returns all days of a span, or one day.
  private func days(_ words: ArraySlice<Word>, today: CalendarDate? = nil) -> DueSpan? {
    let reader = DateReader(
      words: Array(words), vocabulary: reader.vocabulary, today: today ?? reader.today, now: reader.now,
      isMonthFirst: reader.isMonthFirst, isDateOnly: true)
    guard let days = reader.allDays, let end = days.upperBound.adding(days: 1) else { return nil }
    return DueSpan(start: .day(days.lowerBound), end: .day(end))
  }

  private func time(_ words: ArraySlice<Word>) -> DueSpan? {
    WholeDate(reader.reading(Array(words))).map { DueSpan(start: $0.due, end: $0.due) }
  }

  private static func words(_ text: Substring) -> ArraySlice<Word> {
    text.split(whereSeparator: \.isWhitespace).map(Word.init)[...]
  }
}

extension DateReader {
  /// All days of the span that the words are, or the one day.
  fileprivate var allDays: ClosedRange<CalendarDate>? {
    let start = skip(0, .on) ?? 0
    if let match = spanMatch(start) ?? lastSpan(start), match.end == words.count {
      return match.span.days(today: today, offset: match.offset)
    }
    if let week = daysOfCalendarWeek(start) { return week }
    guard let day = WholeDate(self)?.day else { return nil }
    return day...day
  }

  /// All days of `KW 50`.
  private func daysOfCalendarWeek(_ position: Int) -> ClosedRange<CalendarDate>? {
    guard let week = calendarWeek(position, isAfterConnective: true), week.end == words.count, let day = week.date,
      let monday = day.adding(days: -day.weekday), let sunday = monday.adding(days: 6)
    else { return nil }
    return monday...sunday
  }

  /// Reads `last week`.
  fileprivate func lastSpan(_ position: Int) -> (span: Span, offset: Int, isExplicit: Bool, end: Int)? {
    skip(position, .last).flatMap(span).map { ($0.value, -1, true, $0.end) }
  }
}
