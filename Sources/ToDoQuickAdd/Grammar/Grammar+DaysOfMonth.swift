extension Grammar {
  /// Reads a month after a word such as `in`: `in march`, `by June 2027`.
  func monthWithConnective(_ position: Int) -> Piece? {
    guard let start = connective(position, .beforeMonth), let month = reader.monthAlone(start),
      reader.day(start) == nil,
      words[start].key.count > 2, !reader.isWord(0, .work),
      isBoundary(month.end) || position == 0 && ["im", "in", "en", "a"].contains(words[0].key)
    else { return nil }
    // `by April`
    if reader.isWord(start, .givenName), words[position].key != "in", month.end == start + 1,
      reader.vocabulary.capitalDays == .always
    {
      return nil
    }
    return Piece(kind: .day(month), range: position..<month.end, hasConnective: true)
  }

  /// Reads a month of a year that stands alone: `june 2027`.
  func monthOfYear(_ position: Int) -> Piece? {
    guard position > 0, !reader.isWord(0, .work), reader.day(position) == nil, let month = reader.monthAlone(position),
      let name = reader.month(position), month.end > name.end, let date = month.date, date >= reader.today,
      isBoundary(month.end), !reader.isWord(position - 1, .dangling)
    else { return nil }
    return Piece(kind: .day(month), range: position..<month.end)
  }

  /// Reads a day of a month that ends the sentence: `by the first`, `am Ersten`, `le 5`, `el día 5`.
  func dayOfMonthAtEnd(_ start: Int) -> DayMatch? {
    let capitals = reader.vocabulary.capitalDays
    guard start > 0,
      capitals == .asNouns || reader.skip(start - 1, .article) == start || !words[start].beginsText
        || ["al", "del", "dal"].contains(words[start - 1].key)
    else { return nil }
    let noun = capitals == .never && ["día", "dia"].contains(words[start].key) ? start + 1 : start
    guard noun < words.count, let number = numberOfDay(noun, isInDigits: capitals == .never) else { return nil }
    let next = noun + 1
    guard
      next == words.count || words[noun].trailing.hasPrefix(",") || words[next].isMark
        || words[next].text.hasPrefix("@") || isInfinitive(next) || timeWithConnective(next, isAdjacent: true) != nil
        || (reader.part(next)?.end ?? 0) > next + 1
    else { return nil }
    let form = CalendarForm(day: number, end: next)
    return form.dates(from: reader.today).first.map { DayMatch(value: .date($0), end: next) }
  }

  private func numberOfDay(_ position: Int, isInDigits: Bool) -> Int? {
    let word = words[position]
    if word.beginsWithDigit {
      guard isInDigits, word.isNumber, word.core.count < 3, let number = Int(word.key) else { return nil }
      return (1...31).contains(number) ? number : nil
    }
    // `four weeks after the first`
    let isAfterOther =
      position > 1 && ["after", "before"].contains { words[position - 1].key == $0 || words[position - 2].key == $0 }
    guard !isAfterOther, let ordinal = reader.ordinal(position), ordinal.value > 0 else { return nil }
    return ordinal.value
  }
}
