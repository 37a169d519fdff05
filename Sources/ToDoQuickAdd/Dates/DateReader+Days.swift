import ToDoModel

/// A day as it is written, without the words before it.
struct DayMatch: Equatable {
  enum Value: Equatable {
    case date(CalendarDate)
    /// A number of minutes after now.
    case minutes(Int)
    /// A day that does not exist, such as 30 February.
    case impossible
  }

  var value: Value
  /// The part of the day that belongs to it: `tonight`.
  var part: Part?
  /// The time that belongs to it: `2026-05-01T17:00`.
  var time: TimeMatch?
  /// The day of the week, if it is nothing else, so that a date may agree with it.
  var weekday: Int?
  /// Whether it is a date with a year.
  var hasYear = false
  /// Whether it is the first day of a span.
  var isSpan = false
  /// The last day of the span, if its name says which one is meant: `this week`.
  var lastDay: CalendarDate?
  /// Whether it is a day of a month that only a word before it makes a day: `3.`.
  var isOrdinal = false
  /// Whether it can hardly be anything else, unlike `5/1` and `weekend`.
  var isExplicit = true
  /// The position after the day.
  var end: Int

  var date: CalendarDate? {
    if case .date(let date) = value { date } else { nil }
  }
}

extension DateReader {
  /// Reads a day: `tomorrow`, `next mon`, `28 nov`, `in two weeks`, `next month`. The longest form counts.
  func day(_ position: Int) -> DayMatch? {
    guard position < words.count, !words[position].isMark else { return nil }
    return days.value(at: position) { longestDay(position) }
  }

  private func longestDay(_ position: Int) -> DayMatch? {
    let forms = [
      relativeDay(position), partOfToday(position), shiftedDay(position), nthWeekday(position), dayOfWeek(position),
      dayInWeek(position), dayWeeksAhead(position), calendarDay(position), spanOfDays(position), edge(position),
      dayBesideDay(position), calendarWeek(position, isAfterConnective: false), isDateOnly ? holiday(position) : nil,
    ]
    return forms.compactMap(\.self).max { $0.end < $1.end }
  }

  /// Reads `tomorrow`, `the day after tomorrow`.
  private func relativeDay(_ position: Int) -> DayMatch? {
    relative(position).flatMap { match in
      // `tomorrow week`
      let isFollowed = match.value >= 0 && words[match.end - 1].trailing.isEmpty && match.end < words.count
      let days = isFollowed ? ["week": 7, "fortnight": 14][words[match.end].key] ?? 0 : 0
      return today.adding(days: match.value + days)
        .map { DayMatch(value: .date($0), end: days > 0 ? match.end + 1 : match.end) }
    }
  }

  /// Reads `tonight`, `this evening`, `Samstagabend`.
  private func partOfToday(_ position: Int) -> DayMatch? {
    if let end = skip(position, .this), let part = part(end), part.end == end + 1 {
      return DayMatch(value: .date(today), part: part.value, end: part.end)
    }
    let match = take(position) { lexeme -> (days: Int, part: Part)? in
      switch lexeme {
      case .relativePart(let days, let part): (days, part)
      case .weekdayPart(let weekday, let part): (distance(to: weekday, fromToday: part.minutes > now), part)
      default: nil
      }
    }
    guard let match, let date = today.adding(days: match.value.days) else { return nil }
    return DayMatch(value: .date(date), part: match.value.part, end: match.end)
  }

  // MARK: Days of the week

  /// Reads `fri`, `next fri`, `last fri`, `vendredi prochain`, `friday week`, `fri 28 nov`.
  private func dayOfWeek(_ position: Int) -> DayMatch? {
    if let end = skip(position, .next), let weekday = weekday(end), words[position].key != "suivant" {
      return dateThatAgrees(weekday) ?? nextWeek(weekday)
    }
    // `guests coming fri` has a verb.
    let isVerb = !isDateOnly && words[position].key == "coming" && position > 0 && skip(position - 1, .article) == nil
    if let end = skip(position, .coming) ?? skip(position, .this), let weekday = weekday(end), !isVerb {
      return dateThatAgrees(weekday) ?? coming(weekday)
    }
    if let end = skip(position, .last), let weekday = weekday(end) { return former(weekday) }
    guard let weekday = weekday(position) else { return nil }
    let trailing = words[weekday.end - 1].trailing
    if trailing.allSatisfy({ ",.".contains($0) }), let match = dateThatAgrees(weekday) { return match }
    guard trailing.isEmpty, weekday.end == words.count || words[weekday.end].leading.isEmpty else {
      return coming(weekday)
    }
    if let end = nextAfter(weekday.end) { return nextWeek((weekday.value, end)) }
    if let end = skip(weekday.end, .coming) { return coming((weekday.value, end)) }
    if let end = skip(weekday.end, .last) { return former((weekday.value, end)) }
    let (week, fortnight) = (skip(weekday.end, .span(.week)), skip(weekday.end, .unit(.fortnight)))
    if let end = week ?? fortnight {
      let days = distance(to: weekday.value) + (week == nil ? 14 : 7)
      return today.adding(days: days).map { DayMatch(value: .date($0), end: end) }
    }
    return coming(weekday)
  }

  /// Reads `fri next week`, `next week on fri`, `Freitag der nächsten Woche`, `friday after next`.
  private func dayInWeek(_ position: Int) -> DayMatch? {
    if let week = spanMatch(position), week.span == .week, week.isExplicit, words[week.end - 1].trailing.isEmpty,
      let weekday = weekday(skip(week.end, .on) ?? week.end)
    {
      return self.weekday(weekday.value, inWeek: week.offset, end: weekday.end)
    }
    if let start = skip(position, .afterNext), let weekday = weekday(start) {
      return self.weekday(weekday.value, inWeek: 2, end: weekday.end)
    }
    guard let weekday = weekday(position), words[weekday.end - 1].trailing.isEmpty else { return nil }
    if let end = skip(weekday.end, .afterNext) { return self.weekday(weekday.value, inWeek: 2, end: end) }
    let of = skip(weekday.end, .of) ?? weekday.end
    guard let week = spanMatch(of) ?? skip(of, .article).flatMap(spanMatch), week.span == .week, week.isExplicit,
      week.offset >= 0
    else { return nil }
    return self.weekday(weekday.value, inWeek: week.offset, end: week.end)
  }

  private func weekday(_ weekday: Int, inWeek offset: Int, end: Int) -> DayMatch? {
    today.adding(days: 7 * offset - today.weekday + weekday).map { DayMatch(value: .date($0), end: end) }
  }

  /// Reads `fri in two weeks`, `heute in 14 Tagen`.
  private func dayWeeksAhead(_ position: Int) -> DayMatch? {
    let first =
      weekday(position).map { (days: distance(to: $0.value), end: $0.end) }
      ?? relative(position).map { (days: $0.value, end: $0.end) }
    guard let first, first.days >= 0, words[first.end - 1].trailing.isEmpty, let ahead = skip(first.end, .ahead),
      let duration = duration(ahead), duration.number == duration.number.rounded(), duration.number < 1000
    else { return nil }
    var days = Int(duration.number) * (duration.unit == .week ? 7 : duration.unit == .fortnight ? 14 : 1)
    // `Freitag in acht Tagen` is a week after it, and `vendredi dans quinze jours` are two.
    if duration.unit == .day, days == 8 || days == 15, relative(position) == nil { days -= 1 }
    guard duration.unit == .day ? days % 7 == 0 : [.week, .fortnight].contains(duration.unit) else { return nil }
    return today.adding(days: first.days + days).map { DayMatch(value: .date($0), end: duration.end) }
  }

  /// Returns the position after `next` where it can be after its word, which it is not in German.
  private func nextAfter(_ position: Int) -> Int? {
    vocabulary.capitalDays == .asNouns ? nil : skip(position, .next)
  }

  private func coming(_ weekday: (value: Int, end: Int)) -> DayMatch? {
    today.adding(days: distance(to: weekday.value)).map {
      DayMatch(value: .date($0), weekday: weekday.value, end: weekday.end)
    }
  }

  private func nextWeek(_ weekday: (value: Int, end: Int)) -> DayMatch? {
    today.adding(days: 7 - today.weekday + weekday.value).map { DayMatch(value: .date($0), end: weekday.end) }
  }

  private func former(_ weekday: (value: Int, end: Int)) -> DayMatch? {
    let days = (today.weekday - weekday.value + 7) % 7
    return today.adding(days: days == 0 ? -7 : -days).map { DayMatch(value: .date($0), end: weekday.end) }
  }

  /// Reads a date after a day of the week that agrees with it. Two that contradict each other are two days.
  private func dateThatAgrees(_ weekday: (value: Int, end: Int)) -> DayMatch? {
    let position = skip(weekday.end, .article) ?? skip(weekday.end, .beforeDay) ?? weekday.end
    guard let form = calendarForm(position) ?? numberAfterWeekday(position),
      // `friday 4th period`
      form.month != nil || !isWord(form.end, .counted) || !words[form.end - 1].trailing.allSatisfy({ $0 == "." })
    else { return nil }
    return datesWithWeekday(form).first { $0.weekday == weekday.value }
      .map { DayMatch(value: .date($0), time: form.time, hasYear: form.year != nil, end: form.end) }
  }

  /// Reads the number in `jeudi 26` or, because it is not an hour there, `fri 27`.
  private func numberAfterWeekday(_ position: Int) -> CalendarForm? {
    guard !isDateOnly, position < words.count, words[position].isNumber, words[position].core.count < 3,
      words[position].leading.isEmpty, let number = Int(words[position].key),
      (vocabulary.capitalDays == .never ? 1 : 13)...31 ~= number, time(position)?.isBare != false,
      position + 1 == words.count || !words[position].trailing.isEmpty || skip(position + 1, .beforeTime) != nil
        || time(position + 1) != nil || words[position + 1].isMark || words[position + 1].text.hasPrefix("@")
        || isDateOfFirstWord(position, number)
    else { return nil }
    return CalendarForm(day: number, end: position + 1)
  }

  /// Whether a number after the first word, a day of the week, is the date of that day: `sat 28 craft fair`.
  private func isDateOfFirstWord(_ position: Int, _ number: Int) -> Bool {
    guard position == 1, let weekday = weekday(0) else { return false }
    return today.adding(days: distance(to: weekday.value))?.day == number
  }

  /// The dates that a form after a day of the week can mean.
  private func datesWithWeekday(_ form: CalendarForm) -> some Sequence<CalendarDate> {
    if isDateOnly {
      let start = form.month == nil ? today : CalendarDate(year: today.year, month: 1, day: 1) ?? today
      return form.dates(from: start).prefix { $0.year <= today.year + 1 || form.year != nil }
    }
    // Only a day without a month may be one of a later month: `friday the 4th`.
    return form.dates(from: today).prefix(form.month == nil ? 4 : 1)
  }

  /// Reads `first mon of may`, `last friday of the month`.
  private func nthWeekday(_ position: Int) -> DayMatch? {
    let start = skip(position, .article) ?? position
    guard let number = ordinal(start), number.value <= 5, let weekday = weekday(number.end) ?? weekend(number.end),
      let of = skip(weekday.end, .of)
    else { return nil }
    let isSpan = skip(number.end, .span(.weekend)) != nil
    let position = skip(of, .article) ?? of
    if let month = month(position) {
      let dates = (today.year...today.year + 8).lazy.compactMap {
        CalendarDate(number.value, weekday: weekday.value, ofMonth: month.value, $0)
      }
      return dates.first { $0 >= today }.map { DayMatch(value: .date($0), isSpan: isSpan, end: month.end) }
    }
    let next = skip(position, .next)
    guard let end = skip(next ?? position, .unit(.month)) else { return nil }
    return dates(number.value, weekday: weekday.value, inMonths: next == nil ? 0...2 : 1...1)
      .first { $0 >= today }.map { DayMatch(value: .date($0), end: end) }
  }

  /// Reads a weekend as its first day, Saturday.
  private func weekend(_ position: Int) -> (value: Int, end: Int)? {
    skip(position, .span(.weekend)).map { (5, $0) }
  }

  /// Returns the first, or another, such day of the week of each of some months after the current one. The last is 0.
  func dates(_ number: Int, weekday: Int, inMonths months: ClosedRange<Int>) -> [CalendarDate] {
    months.compactMap { today.adding(days: 1 - today.day)?.adding(months: $0) }
      .compactMap { CalendarDate(number, weekday: weekday, ofMonth: $0.month, $0.year) }
  }

  /// Reads `first`, `1st`, `1er`, `1º` or, where days have points, `1.`. The last is 0.
  func ordinal(_ position: Int, afterParenthesis: Bool = false) -> (value: Int, end: Int)? {
    if let match = take(position, { if case .ordinal(let number) = $0 { number } else { nil } }) { return match }
    guard position < words.count,
      words[position].leading.isEmpty || (afterParenthesis && words[position].leading == "(")
    else { return nil }
    var rest = words[position].key[...]
    guard let number = rest.takeNumber(digits: 1...2), (1...31).contains(number) else { return nil }
    if !rest.isEmpty { return vocabulary.isWord(String(rest), .ordinalSuffix) ? (number, position + 1) : nil }
    let isDotted =
      words[position].trailing.hasPrefix(".")
      && words[position].trailing.dropFirst().allSatisfy { ",;:!?.)".contains($0) }
    // `1. FC Köln`
    if position + 1 < words.count, words[position + 1].key == "fc" { return nil }
    return isDotted && vocabulary.hasDottedDates ? (number, position + 1) : nil
  }

  // MARK: Spans

  /// Reads `next week`, `this weekend`, `la semaine prochaine`, `weekend`, `end of month`.
  private func spanOfDays(_ position: Int) -> DayMatch? {
    if let match = take(position, { if case .endOf(let span) = $0 { span } else { nil } }) {
      // `fin de semaine prochaine`
      let next = nextAfter(match.end)
      return match.value.days(today: today, offset: next == nil ? 0 : 1)
        .map { DayMatch(value: .date($0.upperBound), end: next ?? match.end) }
    }
    guard let match = spanMatch(position) else { return nil }
    if match.offset < 0 {
      return today.adding(days: -7).map { DayMatch(value: .date($0), isSpan: true, end: match.end) }
    }
    return match.span.days(today: today, offset: match.offset).map { days in
      DayMatch(
        value: .date(max(days.lowerBound, today)), isSpan: true, lastDay: match.isExplicit ? days.upperBound : nil,
        isExplicit: match.isExplicit, end: match.end)
    }
  }

  /// Reads `next week`, `this weekend`, `la semaine prochaine` or `weekend`, as a number of such spans after the current one.
  func spanMatch(_ position: Int) -> (span: Span, offset: Int, isExplicit: Bool, end: Int)? {
    let next = skip(position, .next), coming = skip(position, .coming)
    if let start = next ?? coming ?? skip(position, .this), let match = span(start) {
      // `kommende Woche` is the next one, but `kommendes Wochenende` is that of this week.
      let isLater = next != nil || (coming != nil && match.value != .weekend)
      return (match.value, isLater ? 1 : 0, true, match.end)
    }
    if let match = skip(position, .afterNext).flatMap(span) { return (match.value, 2, true, match.end) }
    guard let match = span(position) else { return nil }
    if words[match.end - 1].trailing.isEmpty {
      if let end = skip(match.end, .afterNext) { return (match.value, 2, true, end) }
      if let end = nextAfter(match.end) { return (match.value, 1, true, end) }
      if let end = skip(match.end, .last) { return (match.value, -1, true, end) }
    }
    return match.value == .weekend ? (.weekend, 0, false, match.end) : nil
  }

  /// Reads `end of january`, `early next month`, `mid-december`, `Anfang nächster Woche`.
  func edge(_ position: Int) -> DayMatch? {
    if let month = middleOfMonth(position) { return month }
    if let week = weekOfMonth(position) { return week }
    guard let edge = take(position, { if case .edge(let edge) = $0 { edge } else { nil } }) else { return nil }
    // `end march` may be an order.
    if position == 0, words[0].key == "end" { return nil }
    if let month = monthAlone(edge.end), let date = month.date { return day(edge.value, of: date, end: month.end) }
    guard let match = spanMatch(skip(edge.end, .article) ?? edge.end), match.isExplicit, match.offset >= 0,
      let days = match.span.days(today: today, offset: match.offset)
    else { return nil }
    if match.span == .month { return day(edge.value, of: days.lowerBound, end: match.end) }
    // The middle of a week is Wednesday, and late in a week is Friday.
    let date: CalendarDate? =
      switch edge.value {
      case .start: max(days.lowerBound, today)
      case .middle: match.span == .week ? days.lowerBound.adding(days: 2) : nil
      case .late: match.span == .week ? days.lowerBound.adding(days: 4).map { untilEnd($0, days.upperBound) } : nil
      case .end: days.upperBound
      }
    return date.map { DayMatch(value: .date($0), isSpan: edge.value != .end, end: match.end) }
  }

  /// Reads `second week of january`, `last week of december`.
  private func weekOfMonth(_ position: Int) -> DayMatch? {
    let start = skip(position, .article) ?? position
    // `first week of` is the beginning of a month.
    guard let number = ordinal(start), number.value != 1 || words[start].beginsWithDigit, number.value < 5,
      let week = skip(number.end, .span(.week)),
      let of = skip(week, .of), let month = monthAlone(of), let date = month.date,
      let first = date.adding(days: 1 - date.day)
    else { return nil }
    let day = number.value == 0 ? first.adding(months: 1)?.adding(days: -7) : first.adding(days: 7 * (number.value - 1))
    return day.map { DayMatch(value: .date($0), isSpan: true, end: month.end) }
  }

  /// Reads `mid-december`.
  private func middleOfMonth(_ position: Int) -> DayMatch? {
    guard position < words.count else { return nil }
    for prefix in ["mid-", "mi-"] where words[position].key.hasPrefix(prefix) {
      let month = reading([Word(words[position].key.dropFirst(prefix.count))] + words[(position + 1)...].prefix(2))
        .monthAlone(0)
      return month?.date.flatMap { day(.middle, of: $0, end: position + (month?.end ?? 1)) }
    }
    return nil
  }

  private func day(_ edge: Edge, of month: CalendarDate, end: Int) -> DayMatch? {
    let start = month.adding(days: 1 - month.day)
    let date =
      switch edge {
      case .start: start.map { max($0, today) }
      case .middle: start?.adding(days: 14)
      case .late: start?.adding(days: 20).map { untilEnd($0, start?.adding(months: 1)?.adding(days: -1)) }
      case .end: start?.adding(months: 1)?.adding(days: -1)
      }
    return date.map { DayMatch(value: .date($0), isSpan: edge != .end, end: end) }
  }

  /// Returns a day, or today if that is after it and the span that it begins goes on.
  private func untilEnd(_ day: CalendarDate, _ last: CalendarDate?) -> CalendarDate {
    last.map { $0 >= today } == true ? max(day, today) : day
  }

  /// Reads a month without a day, as its first day that is not past: `march`, `june 2027`.
  func monthAlone(_ position: Int) -> DayMatch? {
    guard let month = month(position) else { return nil }
    var (year, end) = (month.value < today.month ? today.year + 1 : today.year, month.end)
    let of = skip(end, .of) ?? end
    if of < words.count, words[month.end - 1].trailing.isEmpty, words[of].isNumber, let number = Int(words[of].key),
      (1900..<3000).contains(number)
    {
      (year, end) = (number, of + 1)
    } else if of < words.count, ["'", "’", "‘"].contains(words[of].leading), words[of].isNumber,
      words[of].key.count == 2,
      let number = Int(words[of].key)
    {
      // `jan '27`
      (year, end) = (2000 + number, of + 1)
    }
    guard let first = CalendarDate(year: year, month: month.value, day: 1) else { return nil }
    let isCurrent = (year, month.value) == (today.year, today.month)
    return DayMatch(value: .date(isCurrent ? today : first), isSpan: true, end: end)
  }
}
