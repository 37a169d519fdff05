import ToDoModel

extension Grammar {
  /// Reads a repetition that begins with a word such as `every`.
  func every(_ position: Int) -> RepetitionReading? {
    let other = reader.skip(position, .everyOther)
    guard let start = other ?? reader.skip(position, .every), start < words.count, words[start - 1].trailing.isEmpty,
      !isNamed(position)
    else { return nil }
    let interval = other == nil ? 1 : 2
    if other == nil, let found = everyOrdinal(start) ?? everyDate(start) ?? everyNumberedDay(start) { return found }
    if other != nil, let found = everyOtherOfMonth(start) { return found }
    if let days = weekdayList(start, isLoose: true) ?? shortWeekdays(start) {
      return (days.match.every(interval), days.end)
    }
    if let number = reader.number(start), other == nil, let count = Int(exactly: number.value), count > 1,
      let days = weekdayList(number.end)
    {
      // `every 2 fridays`
      return (days.match.every(count), days.end)
    }
    return everySpan(start).map { ($0.match.every(interval), $0.end) } ?? everyDuration(start)
  }

  /// Whether `Every` is the first word of a name: `Every Breath You Take`, `Every Day Is Exactly the Same`.
  private func isNamed(_ position: Int) -> Bool {
    guard words[position].beginsUppercase, !words[position].isAllUppercase, reader.vocabulary.capitalDays == .always,
      let every = reader.skip(position, .every), every < words.count
    else { return false }
    // `Watch Every Day I Love You`, but not `Watch Every Day at 8`
    if isTitleCase { return position == 1 && reader.isWord(0, .work) && !isBoundary(every + 1) }
    if position > 0 { return words[every].beginsUppercase || words[position - 1].trailing.isEmpty }
    return words[every].beginsUppercase && unit(every) == nil && anyWeekday(every) == nil
      && reader.month(every) == nil && reader.take(every, { if case .unit = $0 { true } else { nil } }) != nil
  }

  /// Reads `alternate fridays`, `on alternate weekends`, `alternate days`, but not `alternate days with nights`.
  func alternate(_ position: Int) -> RepetitionReading? {
    guard let start = reader.skip(position, .alternate), start < words.count, words[start - 1].trailing.isEmpty else {
      return nil
    }
    if let list = weekdayList(start), list.isPlural { return (list.match.every(2), list.end) }
    guard words[start].key.hasSuffix("s"), !["with", "and"].contains(word(start + 1)) else { return nil }
    let found = unit(start).flatMap { unit in RepetitionMatch(1, unit.value).map { ($0, unit.end) } }
    let weekend = reader.skip(start, .weekends).map { (RepetitionMatch.weekend, $0) }
    guard let (match, end) = found ?? weekend, isBoundary(end) else { return nil }
    return (match.every(2), end)
  }

  private func word(_ position: Int) -> String { position < words.count ? words[position].key : "" }

  // MARK: Spans

  /// Reads `morning`, `day`, `weekend`, `month`, `weekday`, `end of month`, `march`.
  private func everySpan(_ position: Int) -> RepetitionReading? {
    let match = reader.take(position) { lexeme -> RepetitionMatch? in
      switch lexeme {
      case .part(let part), .parts(let part): RepetitionMatch(frequency: .daily).on(part)
      case .unit(let unit): RepetitionMatch(1, unit)
      case .span(.weekend): .weekend
      case .span(.week): RepetitionMatch(frequency: .weekly)
      case .span(.month): RepetitionMatch(frequency: .monthly)
      case .span(.year): RepetitionMatch(frequency: .yearly)
      case .endOf(.month): RepetitionMatch(frequency: .monthly, monthDays: [-1])
      case .endOf(.year): RepetitionMatch(frequency: .yearly, monthDays: [31], months: [12])
      case .workday: .workdays
      case .holiday(let holiday): holiday.rule
      default: nil
      }
    }
    if let match {
      // `every day care center`
      guard words[position].core.count > 1 else { return nil }
      return (match.value, match.end)
    }
    return everyMonthByName(position)
  }

  /// Reads `march`, `june and december`.
  private func everyMonthByName(_ position: Int) -> RepetitionReading? {
    guard let first = reader.month(position), words[position].core.count > 2 else { return nil }
    var (months, end) = ([first.value], first.end)
    while let next = listed(end), let month = reader.month(next) {
      months.append(month.value)
      end = month.end
    }
    guard isBoundary(end) else { return nil }
    return (RepetitionMatch(frequency: .yearly, monthDays: [1], months: months).asSpan, end)
  }

  /// Reads `2 weeks`, `3 months`, `half year`.
  private func everyDuration(_ position: Int) -> RepetitionReading? {
    guard let duration = reader.duration(position), var match = RepetitionMatch(duration.number, duration.unit) else {
      return nil
    }
    // `tous les quinze jours` is every other week.
    if reader.vocabulary.capitalDays == .never, match.frequency == .daily, match.interval == 15,
      words[duration.end - 1].key != "days"
    {
      match = RepetitionMatch(frequency: .weekly, interval: 2)
    }
    return (match, duration.end)
  }

  // MARK: Dates

  /// Reads `día 15` after `cada`, and `15 du mois` after `tous les`.
  private func everyNumberedDay(_ position: Int) -> RepetitionReading? {
    if reader.vocabulary.capitalDays == .never, let day = reader.dayNumber(position), day.value <= 31,
      let month = reader.skip(day.end, .ofMonth)
    {
      return (RepetitionMatch(frequency: .monthly, monthDays: [day.value]), month)
    }
    guard ["día", "dia", "días", "dias"].contains(words[position].key), words[position].trailing.isEmpty,
      let day = reader.dayNumber(position + 1), day.value <= 31, isBoundary(day.end), unit(day.end) == nil
    else { return nil }
    return (RepetitionMatch(frequency: .monthly, monthDays: [day.value]), day.end)
  }

  /// Reads `24 dec`, `december 24th`, `24.12.`.
  private func everyDate(_ position: Int) -> RepetitionReading? {
    guard let form = reader.calendarForm(position), let month = form.month, form.year == nil, form.time == nil,
      (1...12).contains(month), form.dates(from: reader.today).first != nil
    else { return nil }
    return (RepetitionMatch(frequency: .yearly, monthDays: [form.day], months: [month]), form.end)
  }

  /// Reads `zweiten Montag im Monat` after `jeden`, which both are one entry.
  private func everyOtherOfMonth(_ position: Int) -> RepetitionReading? {
    guard let weekday = reader.weekday(position),
      let end = reader.skip(weekday.end, .ofMonth) ?? reader.skip(weekday.end, .ofEveryMonth)
    else { return nil }
    return (RepetitionMatch(frequency: .monthly, weekdays: [.init(weekday.value, ordinal: 2)]), end)
  }

  /// Reads `1st`, `1st and 3rd friday`, `last day of the month`, `third month`.
  private func everyOrdinal(_ position: Int) -> RepetitionReading? {
    guard let (numbers, end) = ordinals(position) else { return nil }
    if let weekend = reader.skip(end, .span(.weekend)) { return everyNthWeekend(numbers, weekend) }
    if let days = ordinalDays(numbers, end) { return interpreted(days, numbers, position) }
    let number = numbers[0]
    if numbers.count == 1, number > 1, let unit = unit(end) ?? spanUnit(end) {
      return RepetitionMatch(Double(number), unit.value).map { ($0, unit.end) }
    }
    guard !numbers.contains(0), everyDate(position) == nil else { return nil }
    if let month = reader.skip(end, .ofMonth) {
      return (RepetitionMatch(frequency: .monthly, monthDays: numbers), month)
    }
    // `Make every second count`, `jeden Ersten`
    let isDay =
      words[position].beginsWithDigit || (reader.vocabulary.capitalDays == .asNouns && words[position].beginsUppercase)
    guard isDay, isBoundary(end, ignoringPunctuation: false) else { return nil }
    return (RepetitionMatch(frequency: .monthly, monthDays: numbers), end)
  }

  /// Reads `second weekend`, which is every other one, and `first weekend`, `second weekend of the month`, which are in a month.
  private func everyNthWeekend(_ numbers: [Int], _ end: Int) -> RepetitionReading? {
    let month = reader.skip(end, .ofMonth) ?? reader.skip(end, .ofEveryMonth)
    let days = numbers.map { RecurrenceRule.Weekday(5, ordinal: $0 == 0 ? -1 : $0) }
    guard days.allSatisfy({ $0.ordinal <= 5 }) else { return nil }
    let monthly = RepetitionMatch(frequency: .monthly, weekdays: days).asSpan
    guard month == nil, numbers.count == 1, numbers[0] > 1 else { return (monthly, month ?? end) }
    var match = RepetitionMatch.weekend.every(numbers[0])
    if numbers[0] > 2, reader.vocabulary.capitalDays == .always { match.alternatives = [monthly] }
    return (match, end)
  }

  /// Reads `week`, which is a span, not a unit, where its word is capital.
  private func spanUnit(_ position: Int) -> (value: Unit, end: Int)? {
    reader.span(position).flatMap { span in
      let unit: Unit? =
        switch span.value {
        case .week: .week
        case .month: .month
        case .year: .year
        case .weekend: nil
        }
      return unit.map { ($0, span.end) }
    }
  }

  /// Returns both meanings of `every second friday`, unless a month is named. `jeden dritten Freitag` has two, too.
  private func interpreted(_ days: OrdinalDays, _ numbers: [Int], _ position: Int) -> RepetitionReading {
    let number = numbers[0]
    let isClear = days.hasMonth || numbers.count > 1 || days.match.monthDays != []
    let isAmbiguous = number == 2 || (reader.vocabulary.capitalDays == .asNouns && number > 2)
    guard !isClear, isAmbiguous, let weekday = days.match.weekdays.first else { return (days.match, days.end) }
    var match = RepetitionMatch(frequency: .weekly, interval: number, weekdays: [.init(weekday.day)])
    match.alternatives = [days.match]
    return (match, days.end)
  }
}

extension RepetitionMatch {
  /// Each Saturday, the first day of a weekend.
  static let weekend = RepetitionMatch(frequency: .weekly, weekdays: [RecurrenceRule.Weekday(5)]).asSpan

  /// Returns the repetition with another interval.
  func every(_ interval: Int) -> RepetitionMatch {
    var result = self
    result.interval = self.interval * interval
    return result
  }

  /// Returns the repetition at a part of the day.
  func on(_ part: Part) -> RepetitionMatch {
    var result = self
    result.part = part
    return result
  }

  /// Returns the repetition on the first day of a span.
  var asSpan: RepetitionMatch {
    var result = self
    result.isSpan = true
    return result
  }
}
