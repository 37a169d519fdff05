import ToDoModel

extension Grammar {
  /// Reads a holiday after a word such as `by`: `before Easter`, `an Heiligabend`. Without one, it describes another word, as in
  /// `buy Christmas cards`, unless a time is beside it.
  func holiday(_ position: Int, after last: Piece?) -> Piece? {
    if let start = connective(position, .beforeHoliday) ?? connective(position, .beforeDay),
      let day = reader.holiday(start), !isHolidayOfWord(day.end), words[start - 1].trailing.isEmpty,
      !["for", "für", "pour", "para", "per", "de", "the"].contains(words[position].key),
      !isTopic(position)
    {
      return Piece(kind: .day(day), range: position..<day.end, hasConnective: true)
    }
    guard let day = reader.holiday(position) else { return nil }
    // `Sale starts Boxing Day`
    if position > 1, reader.isWord(position - 1, .beginning), words[position - 1].trailing.isEmpty, isBoundary(day.end),
      words[position - 1].isLowercase || !isTitleCase
    {
      return Piece(kind: .day(day), range: position..<day.end)
    }
    // `wrap gifts Christmas Eve`, but neither `plan Christmas Eve` nor `watch New Year's Eve`
    if position > 1, ["eve", "day"].contains(words[day.end - 1].key), isBoundary(day.end), isAfterObject(position) {
      return Piece(kind: .day(day), range: position..<day.end)
    }
    let isAfterTime = last.map { if case .time = $0.kind { $0.range.upperBound == position } else { false } } == true
    let isBeforeTime =
      day.end < words.count
      && (reader.time(day.end)?.isBare == false || timeWithConnective(day.end, isAdjacent: true) != nil)
    // `shopping Black Friday`
    let isDayAtEnd = position > 1 && day.end == words.count && reader.weekday(day.end - 1) != nil
    if isAfterTime || isBeforeTime || isDayAtEnd, isBoundary(day.end), !reader.isWord(position - 1, .dangling) {
      return Piece(kind: .day(day), range: position..<day.end)
    }
    // A time would be that of `Easter brunch` or `the family Christmas dinner`, but not of `buy Christmas cards`.
    let isOneDay = day.date.map { [[12, 24], [12, 31], [1, 1]].contains([$0.month, $0.day]) } == true
    let isEvent = isOneDay || isBeforeTime || position == 0 || reader.hasEvent(.late) || reader.hasEvent(.early)
    return Piece(kind: .mention(isEvent ? .event : .holiday), range: position..<day.end)
  }

  /// Whether the word before a position can be the object of a sentence's verb.
  private func isAfterObject(_ position: Int) -> Bool {
    let previous = words[position - 1]
    return previous.isLowercase && previous.trailing.isEmpty && !reader.isWord(position - 1, .dangling)
      && reader.skip(position - 1, .article) != position && !reader.isWord(position - 1, .celebrating)
      && !reader.isWord(0, .work)
  }

  /// Whether the word after a holiday makes one word with it: `before Halloween party`. German writes these as one.
  private func isHolidayOfWord(_ end: Int) -> Bool {
    switch reader.vocabulary.capitalDays {
    case .always: !isBoundary(end)
    case .asNouns: false
    case .never: !isBoundary(end) && reader.skip(end, .of) != nil
    }
  }

  /// Whether a text has a subject: `write an essay on Halloween`.
  private func isTopic(_ position: Int) -> Bool {
    reader.isWord(position, .topic) && reader.isWord(position - 1, .writing)
      || ["at", "zu", "à", "a"].contains(words[position].key) && reader.isWord(position - 1, .occasion)
  }

  /// Reads a week or a part of a month after a word such as `in`: `in week 50`, `in der KW 50`, `in early January`.
  func spanWithConnective(_ position: Int) -> Piece? {
    guard
      let start = connective(position, .beforeMonth) ?? connective(position, .ahead) ?? connective(position, .beforeDay)
    else { return nil }
    let first = reader.skip(start, .article) ?? start
    guard let day = reader.calendarWeek(first, isAfterConnective: true) ?? reader.edge(first), isBoundary(day.end)
    else {
      return nil
    }
    return Piece(kind: .day(day), range: position..<day.end, hasConnective: true)
  }
}
