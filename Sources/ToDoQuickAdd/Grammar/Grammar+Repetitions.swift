import ToDoModel

extension Grammar {
  /// Reads `every tuesday evening`, `every 2 weeks`, `daily`, `on mondays`.
  func repetition(_ position: Int) -> Piece? {
    weekdays(position) ?? adverb(position) ?? dayOfEveryMonth(position) ?? every(position)
  }

  private func weekdays(_ position: Int) -> Piece? {
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

  private func adverb(_ position: Int) -> Piece? {
    guard
      let match = reader.take(
        position,
        { lexeme -> Int?? in
          if case .repetition(let days) = lexeme { .some(days) } else { nil }
        }), isBoundary(match.end)
    else { return nil }
    return Piece(
      kind: .repetition(match.value.map { days([$0, $0 + 1]) } ?? [], nil), range: position..<match.end)
  }

  /// Reads `1st of every month`, `el 5 de cada mes`.
  private func dayOfEveryMonth(_ position: Int) -> Piece? {
    let article = reader.skip(position, .beforeDay) ?? reader.skip(position, .article) ?? position
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
      case .span(.weekend): (days([max(5 - reader.today.weekday, 0), 12 - reader.today.weekday]), nil)
      case .workday: (Array(days(0...6).filter { $0.weekday < 5 }.prefix(2)), nil)
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
    if let day = reader.day(every), let date = day.date {
      return Piece(kind: .repetition([date], day.part), range: position..<day.end)
    }
    return reader.duration(every).map { Piece(kind: .repetition([], nil), range: position..<$0.end) }
  }

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
