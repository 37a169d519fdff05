import ToDoModel

extension Grammar {
  /// Reads `and every 3 months` after the first day.
  func repetitionAfterDay(_ position: Int, _ last: Piece?) -> Piece? {
    guard let last, last.range.upperBound == position, case .day = last.kind, words[position - 1].trailing.isEmpty,
      let and = reader.skip(position, .and), and < words.count, let piece = repetition(and), piece.repetition != nil
    else { return nil }
    return Piece(kind: piece.kind, range: position..<piece.range.upperBound)
  }

  /// Reads the number in `4 Thursdays from 7 Jan`.
  func countBeforeWeekdays(_ position: Int) -> Piece? {
    guard let number = reader.number(position), number.end < words.count, words[position].trailing.isEmpty,
      let count = Int(exactly: number.value), (2...RecurrenceRule.Limits.count).contains(count),
      let list = weekdayList(number.end), list.isPlural, isBoundary(list.end), repetition(number.end) != nil
    else { return nil }
    return Piece(kind: .end(.count(count)), range: position..<number.end)
  }

  /// Reads how long a repetition goes on: `for 10 days`, `10 times`, `until 1 march`.
  func repetitionEnd(_ position: Int, after pieces: [Piece]) -> Piece? {
    guard let match = pieces.lazy.compactMap(\.repetition).first else { return nil }
    if let until = reader.skip(position, .ends) { return lastDay(until, from: position) }
    if let start = firstDay(position) ?? exception(position) { return start }
    let lasting = reader.skip(position, .lasting)
    let start = lasting ?? position
    guard start < words.count else { return nil }
    if let count = count(start) {
      let isAdjacent = pieces.last?.range.upperBound == position
      // `every day 3 times` is three times a day, unlike `3 times in all`.
      guard lasting != nil || isAdjacent, isBoundary(count.end), (1...RecurrenceRule.Limits.count).contains(count.value)
      else { return nil }
      let range = position..<count.end
      if lasting == nil, match.frequency == .daily, count.value < 5, count.end - start < 3 {
        return Piece(kind: .unrepeatable(words[range].map(\.core).joined(separator: " "), .several), range: range)
      }
      return Piece(kind: .end(.count(count.value)), range: range)
    }
    guard let duration = reader.duration(start), let length = RepetitionMatch(duration.number, duration.unit) else {
      return nil
    }
    let long = reader.skip(duration.end, .long)
    guard lasting != nil || long != nil, isBoundary(long ?? duration.end) else { return nil }
    return Piece(kind: .end(.duration(length.interval, length.frequency)), range: position..<(long ?? duration.end))
  }

  /// Reads a day on which something does not repeat, which no rule can say: `except christmas`.
  private func exception(_ position: Int) -> Piece? {
    guard let except = reader.skip(position, .except), except < words.count, words[except - 1].trailing.isEmpty else {
      return nil
    }
    let start = reader.skip(except, .onDays) ?? reader.skip(except, .beforeMonth) ?? except
    let month = reader.month(start).flatMap { words[start].core.count > 2 ? $0.end : nil }
    guard let end = reader.holiday(start)?.end ?? reader.day(start)?.end ?? reader.day(except)?.end ?? month,
      isBoundary(end)
    else {
      return nil
    }
    let text = words[position..<end].map(\.core).joined(separator: " ")
    return Piece(kind: .unrepeatable(text, .unsupported), range: position..<end)
  }

  /// Reads a day after a word such as `from` that precedes no other day: `täglich vom 1.12. bis 10.12.`
  private func firstDay(_ position: Int) -> Piece? {
    guard connective(position, .beforeDay) == nil, let start = connective(position, .starts), start < words.count,
      words[start - 1].trailing.isEmpty, let day = reader.day(start), day.isExplicit || day.isOrdinal,
      isBoundary(day.end)
    else { return nil }
    return Piece(kind: .day(day), range: position..<day.end, hasConnective: true)
  }

  /// Reads the day after a word such as `until`. A repetition until a month or a week ends before it begins.
  private func lastDay(_ until: Int, from position: Int) -> Piece? {
    let start = reader.skip(until, .article) ?? until
    guard start < words.count, words[until - 1].trailing.isEmpty,
      let day = reader.holiday(start) ?? reader.day(start) ?? reader.day(until) ?? reader.monthAlone(start),
      var date = day.date, isBoundary(day.end)
    else { return nil }
    // `until november` in that month is until the next one.
    if date == reader.today, let month = reader.month(start), month.end == day.end,
      let next = date.adding(days: 1 - date.day)?.adding(months: 12)
    {
      date = next
    }
    return (day.isSpan ? date.adding(days: -1) : date)
      .map { Piece(kind: .end(.until($0)), range: position..<day.end) }
  }
}
