import ToDoModel

/// Months of a year, from one to another.
struct Season: Equatable {
  /// The numbers of the months, from the first to the last one.
  let months: [Int]
  /// The first day that is not past.
  let start: CalendarDate
  /// The last day of the last month.
  let last: CalendarDate
  /// Whether its months have years, so that it is only once.
  let isOnce: Bool
  /// Whether it is one of each year: `from april to october every year`.
  var isYearly = false

  /// Creates a season; `nil` if the calendar ends before it.
  init?(from first: DayMatch, _ firstMonth: Int, through last: DayMatch, _ lastMonth: Int, today: CalendarDate) {
    let count = (lastMonth - firstMonth + 12) % 12
    months = (0...count).map { (firstMonth - 1 + $0) % 12 + 1 }
    isOnce = first.hasYear || last.hasYear
    guard let date = first.date, let end = last.date, let endOfYears = end.adding(days: 1 - end.day) else { return nil }
    var start = date
    if !first.hasYear {
      if last.hasYear, let month = endOfYears.adding(months: -count) { start = max(month, today) }
      if !last.hasYear, months.contains(today.month) { start = today }
    }
    let isNextYear = lastMonth < start.month
    let endOfSeason =
      last.hasYear ? endOfYears : CalendarDate(year: start.year + (isNextYear ? 1 : 0), month: lastMonth, day: 1)
    guard let day = endOfSeason?.adding(months: 1)?.adding(days: -1) else { return nil }
    (self.start, self.last) = (start, day)
  }
}

extension Grammar {
  /// Reads `from april to october`, `between may and july` in a sentence that repeats, or after a day of the week.
  func season(_ position: Int, after previous: Piece?) -> Piece? {
    let between = reader.skip(position, .between)
    let from = between ?? reader.skip(position, .from) ?? reader.skip(position, .starts)
    let isAfterDays = previous.map { $0.range.upperBound == position && $0.repetition != nil } == true
    if isAfterDays, previous?.repetition?.isWithinMonth == true, let month = monthOfDays(position) { return month }
    guard from != nil || isAfterDays || words[position].key.hasPrefix("d'"),
      let (first, start) = monthOfSeason(from ?? position),
      words[start.end - 1].trailing.isEmpty, start.end < words.count,
      let middle = between == nil ? through(start.end) : reader.skip(start.end, .and),
      let (last, end) = monthOfSeason(middle), hasRepetition || isAfterWeekday(position, previous),
      var season = Season(from: start, first, through: end, last, today: reader.today)
    else { return nil }
    let yearly = end.end < words.count && words[end.end - 1].trailing.isEmpty ? everyYear(end.end) : nil
    season.isYearly = yearly != nil && !season.isOnce
    return Piece(kind: .season(season), range: position..<(yearly ?? end.end))
  }

  /// Reads `in december` after what repeats: `every friday in december`, `every day in december`.
  private func monthOfDays(_ position: Int) -> Piece? {
    guard ["in", "im", "en", "a", "during"].contains(words[position].key), words[position].trailing.isEmpty,
      let (number, month) = monthOfSeason(position + 1),
      let season = Season(from: month, number, through: month, number, today: reader.today)
    else { return nil }
    return Piece(kind: .season(season), range: position..<month.end)
  }

  /// Returns the position after `every year` or `yearly`.
  private func everyYear(_ position: Int) -> Int? {
    guard let yearly = every(position) ?? adverb(position), yearly.match == RepetitionMatch(1, .year) else {
      return nil
    }
    return yearly.end
  }

  private func through(_ position: Int) -> Int? { reader.skip(position, .through) ?? reader.skip(position, .ends) }

  /// Reads a month, also after the French article that is one word with it: `d'avril`.
  private func monthOfSeason(_ position: Int) -> (number: Int, match: DayMatch)? {
    guard position < words.count else { return nil }
    if words[position].key.hasPrefix("d'") {
      let month = reader.reading([Word(words[position].key.dropFirst(2))])
      guard let number = month.month(0), var match = month.monthAlone(0) else { return nil }
      match.end = position + 1
      return (number.value, match)
    }
    guard let number = reader.month(position), words[position].core.count > 2, var match = reader.monthAlone(position)
    else { return nil }
    match.hasYear = match.end > number.end
    return (number.value, match)
  }

  /// Whether a position is after a day of the week, which is then no single day: `le samedi d'avril à octobre`.
  private func isAfterWeekday(_ position: Int, _ last: Piece?) -> Bool {
    guard let last, last.range.upperBound == position, case .day(let day) = last.kind else { return false }
    return day.weekday != nil
  }

  /// Whether the sentence repeats.
  private var hasRepetition: Bool {
    reader.repetitions.value(at: 0) { words.indices.contains { repetition($0)?.repetition != nil } }
  }
}

extension RepetitionMatch {
  /// Whether it can repeat several times in a month.
  fileprivate var isWithinMonth: Bool {
    hasDays || !isAfterDone && (frequency == .daily || frequency == .weekly)
  }
}
