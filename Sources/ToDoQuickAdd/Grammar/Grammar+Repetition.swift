import ToDoModel

/// A repetition, as far as it is read, with the position after it.
typealias RepetitionReading = (match: RepetitionMatch, end: Int)

extension Grammar {
  /// Reads `every tuesday`, `every 2 weeks on mon, thu`, `daily`, `on mondays`, `3 days after done`.
  func repetition(_ position: Int) -> Piece? {
    if let piece = unrepeatable(position) { return piece }
    let start = repeatingWord(position) ?? position
    guard start < words.count else { return nil }
    let found =
      afterDone(start) ?? once(start) ?? weekdays(start) ?? alternate(start) ?? adverb(start) ?? dayOfEveryMonth(start)
      ?? every(start)
    guard var (match, end) = found else { return nil }
    if !match.hasDays, let on = days(of: match, end) { (match, end) = on }
    if let less = except(match, end) { (match, end) = less }
    if match.rule.clampsMonthDays, let last = reader.skip(end, .orLastDay) { end = last }
    if let name = reader.skip(position, .name), name >= end { return nil }
    if isSubject(position, end) { return Piece(kind: .mention(.subject), range: position..<end) }
    return Piece(kind: .repetition(match), range: position..<end)
  }

  /// Whether a sentence is about what repeats: `every day is a gift`, `remember that every vote counts`.
  private func isSubject(_ position: Int, _ end: Int) -> Bool {
    isSubjectWithPlace(position, end)
      || end < words.count && words[end - 1].trailing.isEmpty && (words[end].isLowercase || isTitleCase)
        && reader.isWord(end, .copula)
        && (reader.skip(position, .every) != nil || reader.skip(position, .everyOther) != nil)
  }

  /// Whether a preposition is between the subject and its verb: `every day at nursery costs 60`.
  private func isSubjectWithPlace(_ position: Int, _ end: Int) -> Bool {
    guard position == 0, reader.skip(0, .every) != nil, end < words.count, words[end - 1].trailing.isEmpty,
      reader.isWord(end, .preposition), reader.skip(end, .and) == nil, timeWithConnective(end, isAdjacent: true) == nil
    else { return false }
    return words[end...].prefix { $0.trailing.isEmpty }.indices
      .contains { reader.isWord($0, .copula) && words[$0].isLowercase }
  }

  /// Returns the position after a word such as `repeat` before a repetition.
  private func repeatingWord(_ position: Int) -> Int? {
    guard let end = reader.skip(position, .repeating), end < words.count, words[end - 1].trailing.isEmpty else {
      return nil
    }
    return end
  }

  // MARK: Adverbs

  /// Reads `daily`, `weekly`, `fortnightly`.
  func adverb(_ position: Int) -> RepetitionReading? {
    guard position < words.count else { return nil }
    // `listen to The Daily`
    if position > 0, words[position].beginsUppercase, reader.skip(position - 1, .article) == position { return nil }
    // `Weekly every mon` is a meeting.
    if position == 0, words[0].beginsUppercase, !isRepetitionOnly, every(1)?.match.hasDays == true { return nil }
    let match = reader.take(position) { lexeme -> RepetitionMatch? in
      if case .repeats(let frequency, let interval) = lexeme {
        RepetitionMatch(frequency: frequency, interval: interval)
      } else {
        nil
      }
    }
    guard let match, isBoundary(match.end) || reader.vocabulary.capitalDays == .asNouns else { return nil }
    return (words[position].key == "nightly" ? match.value.on(.night) : match.value, match.end)
  }

  /// Reads `once a week`, `einmal im Monat`, `once every 2 weeks`.
  private func once(_ position: Int) -> RepetitionReading? {
    guard let count = count(position), count.value == 1 else { return nil }
    if let every = every(count.end) { return every }
    guard let unit = unitOfCount(count.end), let match = RepetitionMatch(1, unit.value), isBoundary(unit.end) else {
      return nil
    }
    return (match, unit.end)
  }

  /// Reads `twice`, `3 times`, `3x`.
  func count(_ position: Int) -> (value: Int, end: Int)? {
    guard position < words.count else { return nil }
    if let match = reader.take(position, { if case .count(let number) = $0 { number } else { nil } }) { return match }
    var rest = words[position].key[...]
    if let number = rest.takeNumber(digits: 1...4), ["x", "×"].contains(rest) { return (number, position + 1) }
    guard let number = reader.number(position), let end = reader.skip(number.end, .times),
      let value = Int(exactly: number.value)
    else { return nil }
    return (value, end)
  }

  /// Reads `a day`, `per week`, `pro Monat`, after a number of times.
  private func unitOfCount(_ position: Int) -> (value: Unit, end: Int)? {
    if let match = adverb(position), match.match.interval == 1 {
      let unit: Unit =
        switch match.match.frequency {
        case .daily: .day
        case .weekly: .week
        case .monthly: .month
        case .yearly: .year
        }
      return (unit, match.end)
    }
    guard let per = reader.skip(position, .per) else { return nil }
    return unit(per)
  }

  func unit(_ position: Int) -> (value: Unit, end: Int)? {
    guard position < words.count, words[position].core.count > 1, !words[position].beginsUppercase || hasNouns else {
      return nil
    }
    return reader.take(position) { if case .unit(let unit) = $0 { unit } else { nil } }
  }

  /// Whether nouns have capital letters, or all words.
  private var hasNouns: Bool { reader.vocabulary.capitalDays == .asNouns || isTitleCase }

  // MARK: After done

  /// Reads `3 days after done`, `every 2 weeks after completion`.
  private func afterDone(_ position: Int) -> RepetitionReading? {
    let start = reader.skip(position, .every) ?? position
    let single = start > position ? unit(start).map { (1.0, $0.value, $0.end) } : nil
    guard let (number, unit, end) = single ?? reader.duration(start).map({ ($0.number, $0.unit, $0.end) }),
      words[end - 1].trailing.isEmpty, let done = reader.skip(end, .afterDone),
      var match = RepetitionMatch(number, unit)
    else { return nil }
    match.isAfterDone = true
    return (match, done)
  }

  // MARK: Unrepeatable

  /// Reads words that repeat in a way that no rule can say: `every 6 hours`, `twice a week`, `every few days`.
  private func unrepeatable(_ position: Int) -> Piece? {
    guard let (reason, end) = unrepeatableWords(position) else { return nil }
    let text = words[position..<end].map(\.core).joined(separator: " ")
    return Piece(kind: .unrepeatable(text, reason), range: position..<end)
  }

  private func unrepeatableWords(_ position: Int) -> (reason: QuickAddReading.Unrepeatable, end: Int)? {
    if let match = reader.take(position, { if case .unrepeatable(let reason) = $0 { reason } else { nil } }),
      isBoundary(match.end)
    {
      return match.value == .often && position > 0 && words[position].beginsUppercase ? nil : (match.value, match.end)
    }
    if let count = count(position), count.value > 1 {
      if let unit = unitOfCount(count.end), isBoundary(unit.end) { return (.several, unit.end) }
      if let every = every(count.end) { return (.several, every.end) }
    }
    guard let every = reader.skip(position, .everyOther) ?? reader.skip(position, .every), every < words.count else {
      return hoursAfterDone(position)
    }
    if let end = roughNumber(every) { return (.vague, end) }
    let number = reader.number(every) ?? reader.ordinal(every).map { (Double($0.value), $0.end) } ?? (1, every)
    if let duration = reader.duration(every), RepetitionMatch(duration.number, duration.unit) == nil {
      return (duration.unit.isOfHours ? .often : .uneven, duration.end)
    }
    if let unit = unit(number.1), unit.value.isOfHours {
      return number.1 == every && unit.end < words.count && !isBoundary(unit.end) ? nil : (.often, unit.end)
    }
    return listOfParts(every) ?? unsupportedDay(every)
  }

  /// Reads `6 hours after done`.
  private func hoursAfterDone(_ position: Int) -> (reason: QuickAddReading.Unrepeatable, end: Int)? {
    guard let duration = reader.duration(position), let end = reader.skip(duration.end, .afterDone),
      RepetitionMatch(duration.number, duration.unit) == nil
    else { return nil }
    return (duration.unit.isOfHours ? .often : .uneven, end)
  }

  /// Reads `2-3 days`, `two or three weeks`.
  func roughNumber(_ position: Int) -> Int? {
    let parts = words[position].key.split(whereSeparator: { "-–".contains($0) })
    if parts.count == 2, parts.allSatisfy({ Int($0) != nil }) { return unit(position + 1)?.end }
    guard let first = reader.number(position),
      let through = reader.skip(first.end, .through) ?? reader.skip(first.end, .and),
      let second = reader.number(through)
    else { return nil }
    return unit(second.end)?.end
  }

  /// Reads `morning and evening`.
  private func listOfParts(_ position: Int) -> (reason: QuickAddReading.Unrepeatable, end: Int)? {
    guard let first = reader.part(position), let and = reader.skip(first.end, .and),
      let second = reader.part(reader.skip(and, .every) ?? and)
    else { return nil }
    return (.several, second.end)
  }

  /// Reads `last weekday of the month`, `easter`.
  private func unsupportedDay(_ position: Int) -> (reason: QuickAddReading.Unrepeatable, end: Int)? {
    if let number = reader.ordinal(position), let end = reader.skip(number.end, .workday) {
      return (.unsupported, reader.skip(end, .ofMonth) ?? reader.skip(end, .ofEveryMonth) ?? end)
    }
    guard let holiday = reader.take(position, { if case .holiday(let holiday) = $0 { holiday } else { nil } }),
      holiday.value.rule == nil
    else { return nil }
    return (.unsupported, holiday.end)
  }
}

extension Unit {
  /// Whether it is shorter than a day.
  fileprivate var isOfHours: Bool {
    switch self {
    case .minute, .quarterHour, .halfHour, .hour: true
    case .day, .week, .fortnight, .month, .year: false
    }
  }
}

extension Holiday {
  /// The repetition on each such day, or `nil` if no rule can say when it is.
  var rule: RepetitionMatch? {
    switch self {
    case .fixed(let month, let day): RepetitionMatch(frequency: .yearly, monthDays: [day], months: [month])
    case .thanksgiving(0):
      RepetitionMatch(frequency: .yearly, weekdays: [RecurrenceRule.Weekday(3, ordinal: 4)], months: [11])
    case .easter, .thanksgiving, .advent: nil
    }
  }
}
