import ToDoModel

extension Grammar {
  /// Reads `every tuesday evening`, `every 2 weeks`, `daily`, `on mondays`.
  func repetition(_ position: Int) -> Piece? {
    weekdays(position) ?? adverb(position) ?? every(position)
  }

  private func weekdays(_ position: Int) -> Piece? {
    let start = reader.skip(position, .beforeDay) ?? position
    guard let match = reader.take(start, { if case .weekdays(let day) = $0 { day } else { nil } }) else { return nil }
    // `TGI Fridays`
    guard start > position || start == 0 || !words[start].beginsUppercase else { return nil }
    return Piece(kind: .repetition(first(match.value), nil), range: position..<match.end)
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
      kind: .repetition(match.value.flatMap { reader.today.adding(days: $0) }, nil), range: position..<match.end)
  }

  private func every(_ position: Int) -> Piece? {
    guard let every = reader.skip(position, .every), every < words.count else { return nil }
    let match = reader.take(every) { lexeme -> (first: CalendarDate?, part: Part?)? in
      switch lexeme {
      case .weekday(let day), .weekdays(let day): (first(day), nil)
      case .weekdayPart(let day, let part): (first(day, isToday: part.minutes > reader.now), part)
      case .part(let part): (reader.today, part)
      case .unit(.day): (reader.today, nil)
      case .span(.weekend): (Span.weekend.days(today: reader.today).map { max($0.lowerBound, reader.today) }, nil)
      case .workday: (reader.today.adding(days: reader.today.weekday > 4 ? 7 - reader.today.weekday : 0), nil)
      case .unit, .span: (nil, nil)
      default: nil
      }
    }
    if let match {
      return Piece(kind: .repetition(match.value.first, match.value.part), range: position..<match.end)
    }
    if let day = reader.day(every), let date = day.date {
      return Piece(kind: .repetition(date, day.part), range: position..<day.end)
    }
    return reader.duration(every).map { Piece(kind: .repetition(nil, nil), range: position..<$0.end) }
  }

  private func first(_ weekday: Int, isToday: Bool = true) -> CalendarDate? {
    reader.today.adding(days: reader.distance(to: weekday, fromToday: isToday))
  }
}
