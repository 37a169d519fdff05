import ToDoModel

extension Grammar {
  /// Reads `every tuesday evening`, `every 2 weeks`, `daily`, `on mondays`.
  func repetition(_ position: Int) -> Piece? {
    guard let piece = weekdays(position) ?? adverb(position) ?? dayOfEveryMonth(position) ?? every(position) else {
      return nil
    }
    return withOtherWeekdays(piece) ?? withFirstDay(piece) ?? piece
  }

  /// Returns a repetition with the further days of the week on which it occurs: `every mon, wed and fri`, `montags und donnerstags`.
  private func withOtherWeekdays(_ piece: Piece) -> Piece? {
    guard case .repetition(var days, let part) = piece.kind, !days.isEmpty, weekday(before: piece) else { return nil }
    var end = piece.range.upperBound
    while end < words.count {
      let isListed = words[end - 1].trailing == ","
      guard isListed || words[end - 1].trailing.isEmpty else { break }
      let next = reader.skip(end, .and)
      guard isListed || next != nil, let day = anyWeekday(next ?? end), reader.skip(next ?? end, .name) == nil
      else { break }
      days += weekly(day.value)
      end = day.end
    }
    guard end > piece.range.upperBound else { return nil }
    return Piece(kind: .repetition(days.sorted(), part), range: piece.range.lowerBound..<end)
  }

  /// Whether a repetition ends in a day of the week.
  private func weekday(before piece: Piece) -> Bool {
    piece.range.contains { anyWeekday($0)?.end == piece.range.upperBound }
  }

  /// Reads `mon` or `mondays`.
  private func anyWeekday(_ position: Int) -> (value: Int, end: Int)? {
    reader.take(position) { lexeme in
      switch lexeme {
      case .weekday(let day), .weekdays(let day): day
      default: nil
      }
    }
  }

  /// Returns a repetition that has no day with the one after it: `every 2 weeks on friday`, `monthly on the 1st`.
  private func withFirstDay(_ piece: Piece) -> Piece? {
    let end = piece.range.upperBound
    guard case .repetition(let days, let part) = piece.kind, days.isEmpty, end < words.count,
      words[end - 1].trailing.isEmpty, ![.through, .before, .after].contains(where: { reader.skip(end, $0) != nil }),
      let first = dayWithConnective(end), case .day(let day) = first.kind, let date = day.date
    else { return nil }
    return Piece(
      kind: .repetition(day.weekday.map(weekly) ?? [date], part), range: piece.range.lowerBound..<first.range.upperBound
    )
  }

  private func weekdays(_ position: Int) -> Piece? {
    if let end = reader.skip(position, .workdays), isRepeated(position, end) {
      return Piece(kind: .repetition(nextWorkdays, nil), range: position..<end)
    }
    if let end = reader.skip(position, .weekends), isRepeated(position, end) {
      return Piece(kind: .repetition(nextWeekends, nil), range: position..<end)
    }
    let start = reader.skip(position, .beforeDay) ?? position
    if let day = reader.weekday(start),
      let part = reader.take(day.end, { if case .parts(let part) = $0 { part } else { nil } })
    {
      return Piece(kind: .repetition(weekly(day.value), part.value), range: position..<part.end)
    }
    guard let match = reader.take(start, { if case .weekdays(let day) = $0 { day } else { nil } }) else { return nil }
    // `TGI Fridays`
    guard !words[match.end - 1].trailing.hasPrefix("'"), !words[match.end - 1].trailing.hasPrefix("’") else {
      return nil
    }
    guard start > position || start == 0 || !words[start].beginsUppercase else { return nil }
    return Piece(kind: .repetition(weekly(match.value), nil), range: position..<match.end)
  }

  /// Whether something repeats on days: `weekdays 9am`, `on weekends`, but not `plan family weekends`.
  private func isRepeated(_ position: Int, _ end: Int) -> Bool {
    guard end == position + 1, reader.vocabulary.capitalDays == .always else { return isBoundary(end) }
    return end < words.count && (reader.time(end)?.isBare == false || timeWithConnective(end, isAdjacent: true) != nil)
  }

  private func adverb(_ position: Int) -> Piece? {
    // `listen to The Daily`
    if position > 0, words[position].beginsUppercase, reader.skip(position - 1, .article) == position { return nil }
    guard
      let match = reader.take(
        position,
        { lexeme -> Int?? in
          if case .repetition(let days) = lexeme { .some(days) } else { nil }
        }), isBoundary(match.end) || reader.vocabulary.capitalDays == .asNouns
    else { return nil }
    return Piece(
      kind: .repetition(match.value.map { days([$0, $0 + 1]) } ?? [], nil), range: position..<match.end)
  }

  /// Reads `1st of every month`, `el 5 de cada mes`, `first thursday of every month`.
  private func dayOfEveryMonth(_ position: Int) -> Piece? {
    let article = reader.skip(position, .beforeDay) ?? reader.skip(position, .article) ?? position
    if let number = reader.ordinal(article), number.value <= 5, let day = reader.weekday(number.end),
      let every = reader.skip(day.end, .of).flatMap({ reader.skip($0, .every) }),
      let month = reader.skip(every, .unit(.month))
    {
      let dates = reader.dates(number.value, weekday: day.value, inMonths: 0...3).filter { $0 >= reader.today }
      return Piece(kind: .repetition(Array(dates), nil), range: position..<month)
    }
    guard article < words.count, let (number, end) = reader.dayNumber(article), (1...31).contains(number),
      let every = reader.skip(reader.skip(end, .of) ?? end, .every), let month = reader.skip(every, .unit(.month))
    else { return nil }
    let dates = CalendarForm(day: number, end: month).dates(from: reader.today).prefix(2)
    return Piece(kind: .repetition(Array(dates), nil), range: position..<month)
  }

  private func every(_ position: Int) -> Piece? {
    guard let every = reader.skip(position, .every), every < words.count else { return nil }
    let match = reader.take(every) { lexeme -> (days: [CalendarDate], part: Part?)? in
      switch lexeme {
      case .weekday(let day), .weekdays(let day): (weekly(day), nil)
      case .weekdayPart(let day, let part): (weekly(day), part)
      case .part(let part): (days([0, 1]), part)
      case .unit(.day): (days([0, 1]), nil)
      case .span(.weekend): (nextWeekends, nil)
      case .workday: (nextWorkdays, nil)
      case .unit, .span: ([], nil)
      default: nil
      }
    }
    if let match {
      return Piece(kind: .repetition(match.value.days, match.value.part), range: position..<match.end)
    }
    // `every 2nd tuesday`
    if let number = reader.ordinal(every), let day = reader.weekday(number.end), reader.skip(day.end, .of) == nil {
      return Piece(kind: .repetition(weekly(day.value), nil), range: position..<day.end)
    }
    if let duration = reader.duration(every) {
      return Piece(kind: .repetition([], nil), range: position..<duration.end)
    }
    if let day = reader.day(every), let date = day.date {
      return Piece(kind: .repetition([date], day.part), range: position..<day.end)
    }
    return nil
  }

  private var nextWorkdays: [CalendarDate] { Array(days(0...6).filter { $0.weekday < 5 }.prefix(2)) }
  private var nextWeekends: [CalendarDate] { days([max(5 - reader.today.weekday, 0), 12 - reader.today.weekday]) }

  /// Returns the next two such days of the week, of which the first may be today.
  private func weekly(_ weekday: Int) -> [CalendarDate] {
    let distance = reader.distance(to: weekday, fromToday: true)
    return days([distance, distance + 7])
  }

  /// Returns the days after these numbers of days.
  private func days(_ distances: some Sequence<Int>) -> [CalendarDate] {
    distances.compactMap { reader.today.adding(days: $0) }
  }
}
