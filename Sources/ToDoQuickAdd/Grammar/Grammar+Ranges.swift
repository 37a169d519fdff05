import ToDoModel

extension Grammar {
  // MARK: In one word

  /// Reads a range without blanks: `9-10am`, `14:00-16:00`, `14-16 Uhr`, `7-11 dec`, `mon..fri`.
  func compactRange(_ position: Int) -> Piece? {
    guard words[position].hasSeparator, !isRangeOfNumbers(position) else {
      return reader.isWord(position, .dayLetters) ? daysInOneWord(position) : nil
    }
    for separator in ["..", "-", "–", "/"] where words[position].key.utf8.count > 2 {
      let parts = words[position].key.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      if let ends = ends(parts[0], parts[1], unit: []), separator != "/" || !words[position].beginsWithDigit {
        return Piece(kind: .range(ends), range: position..<position + 1)
      }
      guard separator != "/", ["", "."].contains(words[position].trailing), let end = unitOfRange(position + 1),
        let ends = ends(parts[0], parts[1], unit: words[(position + 1)..<end])
      else { continue }
      return Piece(kind: .range(ends), range: position..<end)
    }
    return daysInOneWord(position)
  }

  /// Whether a range is one of sections and the like: `Abschnitt 5.1-5.3`.
  private func isRangeOfNumbers(_ position: Int) -> Bool {
    words[position].beginsWithDigit && words[position].core.utf8.allSatisfy { $0 < 0x3A }
      && reader.isWord(position - 1, .numbered)
      && words[position].core.contains(".")
  }

  /// Reads `10-11` after a day, or after what repeats on days.
  func hoursAfterDay(_ position: Int, _ last: Piece?) -> Piece? {
    guard let last, last.range.upperBound == position else { return nil }
    // `saturday from 1-4`
    let start = reader.skip(position, .from) ?? reader.skip(position, .between) ?? position
    guard start < words.count, let ends = rangeOfHours(start) else { return nil }
    let isAfterRepetition = last.repetition != nil && isBoundary(start + 1)
    guard last.isDay || isAfterRepetition else { return nil }
    return Piece(kind: .range(ends), range: position..<start + 1)
  }

  /// Reads `9-12` before a day, or before what repeats: `painters 9-12 on thursday`, `happy hour 5-7 fridays`.
  func hoursBeforeDay(_ position: Int) -> Piece? {
    let next = position + 1
    guard position > 0, words[position].trailing.isEmpty, !reader.isWord(position - 1, .numbered),
      !reader.isWord(0, .work), let ends = rangeOfHours(position), next < words.count,
      isWeekdayOrRelative(connective(next, .on) ?? next) || repetition(next)?.repetition?.weekdays.isEmpty == false
    else { return nil }
    return Piece(kind: .range(ends), range: position..<next)
  }

  private func isWeekdayOrRelative(_ position: Int) -> Bool {
    guard let day = reader.day(position), isBoundary(day.end) else { return false }
    return day.weekday != nil || day.part != nil || reader.relative(position) != nil
  }

  /// Returns the ends of `10-11`, which are hours only after a day.
  func rangeOfHours(_ position: Int) -> [Piece]? {
    guard position < words.count, words[position].beginsWithDigit, words[position].hasSeparator else { return nil }
    if let ends = rangeOfDottedTimes(position) { return ends }
    let parts = words[position].key.split(whereSeparator: { "-–".contains($0) })
      .map { $0.hasSuffix("h") ? $0.dropLast() : $0 }
    guard parts.count == 2, let first = Self.hour(parts[0]), let last = Self.hour(parts[1]), first > 0, last > 0 else {
      return nil
    }
    let start = TimeMatch(minutes: first * 60, isOpen: first <= 12, end: 0)
    return [Self.piece(start), Self.piece(Self.time(hour: last, after: start))]
  }

  /// Returns the ends of `7.30-20.00` or `5-5.30`, as where days precede months.
  private func rangeOfDottedTimes(_ position: Int) -> [Piece]? {
    let parts = words[position].key.split(whereSeparator: { "-–".contains($0) })
    guard !reader.isMonthFirst, parts.count == 2, parts.contains(where: { $0.contains(".") }) else { return nil }
    let times = parts.compactMap { DateReader.clock(String($0)) }
    guard times.count == 2, times.allSatisfy({ $0.minutes % 5 == 0 }) else { return nil }
    return times.map { Self.piece(TimeMatch(minutes: $0.minutes, end: 0)) }
  }

  /// Returns two days or two times, one of which may be a number that has the other's unit: `9-10am`.
  ///
  /// - Parameter unit: the words after both.
  private func ends(_ first: Substring, _ second: Substring, unit: ArraySlice<Word>) -> [Piece]? {
    switch (end(first, unit), end(second, unit)) {
    case (let first?, let second?): return first.isDay == second.isDay ? [first, second] : nil
    case (nil, let second?):
      guard let hour = Self.hour(first), case .time(let time) = second.kind else { return nil }
      return [Self.piece(Self.time(hour: hour, before: time)), second]
    case (let first?, nil):
      guard let hour = Self.hour(second), case .time(let time) = first.kind else { return nil }
      return [first, Self.piece(Self.time(hour: hour, after: time))]
    case (nil, nil): return nil
    }
  }

  private func end(_ text: Substring, _ unit: ArraySlice<Word>) -> Piece? {
    let reader = reader.reading([Word(text)] + unit)
    if let time = reader.time(0), !time.isBare { return Self.piece(time) }
    return reader.day(0).map { Piece(kind: .day($0), range: 0..<0) }
  }

  private static func piece(_ time: TimeMatch) -> Piece { Piece(kind: .time(time), range: 0..<0) }

  private static func hour(_ text: some StringProtocol) -> Int? {
    text.utf8.count <= 2 ? Int(text).flatMap { (0...24).contains($0) ? $0 : nil } : nil
  }

  /// Returns the last such hour before a time, in the same half of the day if there is one: `11-1pm` begins at 11:00.
  private static func time(hour: Int, before end: TimeMatch) -> TimeMatch {
    var minutes = hour * 60
    if hour <= 12, end.minutes >= 720, hour % 12 * 60 + 720 < end.minutes { minutes = hour % 12 * 60 + 720 }
    return TimeMatch(minutes: minutes, end: 0)
  }

  /// Returns the first such hour after a time.
  private static func time(hour: Int, after start: TimeMatch) -> TimeMatch {
    let minutes = hour * 60
    return TimeMatch(minutes: minutes < start.minutes && hour <= 12 ? minutes + 720 : minutes, end: 0)
  }

  /// Returns the position after `Uhr`, `pm` or the name of a month.
  private func unitOfRange(_ position: Int) -> Int? {
    if let month = reader.month(position) { return month.end }
    guard position < words.count, words[position].key.count > 1 else { return nil }
    return reader.skip(position, .oClock) ?? reader.skip(position, .pm) ?? reader.skip(position, .am)
  }

  /// Reads days of one month: `dec 24-31`, `march 14 to 17`.
  private func daysOfMonth(_ position: Int) -> Piece? {
    guard let month = reader.month(position), month.end < words.count else { return nil }
    let parts = words[month.end].key.split(whereSeparator: { "-–".contains($0) })
    if parts.count == 2, let first = Self.day(parts[0]), let last = Self.day(parts[1]), first < last {
      return range([first, last], ofMonth: month.value, position..<month.end + 1)
    }
    guard let first = Self.day(words[month.end].key),
      let through = reader.skip(month.end + 1, .through) ?? reader.skip(month.end + 1, .and),
      !reader.isWord(through, .numbered), through < words.count, reader.skip(month.end + 1, .before) == nil,
      let last = Self.day(words[through].key), first < last, reader.time(through)?.isBare != false,
      isBoundary(through + 1)
    else { return nil }
    return range([first, last], ofMonth: month.value, position..<through + 1)
  }

  /// Reads days of two months: `jan 28-feb 3`.
  private func daysOfTwoMonths(_ position: Int) -> Piece? {
    guard reader.month(position)?.end == position + 1, position + 2 < words.count else { return nil }
    let parts = words[position + 1].key.split(whereSeparator: { "-–".contains($0) })
    guard parts.count == 2, Self.day(parts[0]) != nil, Self.day(words[position + 2].key) != nil else { return nil }
    let first = reader.reading([words[position], Word(parts[0])])
    let last = reader.reading([Word(parts[1]), words[position + 2]])
    guard let start = first.calendarDay(0), let month = last.month(0), month.end == 1, let end = last.calendarDay(0)
    else {
      return nil
    }
    let ends = [start, end].map { Piece(kind: .day($0), range: position..<position + 3) }
    return Piece(kind: .range(beginningBefore(ends[0], ends[1])), range: position..<position + 3)
  }

  /// Reads a day of several months, none of which is meant alone: `2nd tuesday of jan, apr and jul`, `the 1st of jan, apr, jul`.
  private func daysOfMonths(_ position: Int) -> Piece? {
    let start = reader.skip(position, .article) ?? reader.skip(position, .on) ?? position
    guard start < words.count, let (numbers, end) = ordinals(start) else { return nil }
    let weekdays = ordinalDays(numbers, end).flatMap { $0.match.frequency == .yearly ? $0.end : nil }
    guard let first = weekdays ?? reader.skip(end, .of).flatMap({ reader.month($0)?.end }) else { return nil }
    var (last, count) = (first, 1)
    while let next = listed(last), let month = reader.month(next), words[next].core.count > 2 {
      (last, count) = (month.end, count + 1)
    }
    // `the 1st of june, may be later`
    return count > (weekdays == nil ? 2 : 1) ? Piece(kind: .range([]), range: position..<last) : nil
  }

  private func range(_ days: [Int], ofMonth month: Int, _ range: Range<Int>) -> Piece {
    // Both are in the year of the last one, so that `dec 24-31` is not in two years.
    let last = days.last.flatMap { CalendarForm(month: month, day: $0, end: 0).dates(from: reader.today).first }
    let dates = days.compactMap { CalendarDate(year: last?.year ?? reader.today.year, month: month, day: $0) }
    let ends = dates.map { Piece(kind: .day(DayMatch(value: .date($0), end: range.upperBound)), range: range) }
    return Piece(kind: .range(ends), range: range)
  }

  /// Parses `24`, `24th` or `24.`.
  private static func day(_ text: some StringProtocol) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard ["", ".", "st", "nd", "rd", "th", "er", "º"].contains(text.dropFirst(digits.count)) else { return nil }
    return Int(digits).flatMap { (1...31).contains($0) ? $0 : nil }
  }

  // MARK: In several

  /// Reads `dec 24-31`, `between 8 and 12`, `from 7 to 9`.
  func rangeInWords(_ position: Int) -> Piece? {
    daysOfMonth(position) ?? daysOfTwoMonths(position) ?? daysOfMonths(position) ?? rangeOfTimes(position)
      ?? rangeOfWeekdays(position) ?? arrivalAndMeal(position) ?? daysInWords(position)
  }

  /// Reads `7 for 7.30`, the times at which guests may arrive and must have.
  private func arrivalAndMeal(_ position: Int) -> Piece? {
    guard !reader.isMonthFirst, words[position].beginsWithDigit, position + 2 < words.count,
      words[position + 1].key == "for", words[position + 2].beginsWithDigit,
      [position, position + 2].contains(where: { words[$0].key.contains(".") || words[$0].key.contains(":") }),
      let first = reader.time(position), let last = reader.time(position + 2), isBoundary(last.end),
      (15...60).contains((last.minutes - first.minutes + 720) % 720)
    else { return nil }
    let ends = [first, last].map { Piece(kind: .time($0), range: position..<last.end) }
    return Piece(kind: .range(ends), range: position..<last.end)
  }

  /// Reads `von Do auf Fr`.
  private func rangeOfWeekdays(_ position: Int) -> Piece? {
    guard let start = reader.skip(position, .from), let first = reader.weekday(start), first.end < words.count,
      words[first.end].key == "auf", let last = reader.weekday(first.end + 1)
    else { return nil }
    let ends = [start, first.end + 1].compactMap(reader.day).map { Piece(kind: .day($0), range: start..<last.end) }
    return Piece(kind: .range(ends), range: position..<last.end)
  }

  /// Reads `between 14:00 and 16:00`; with numbers alone only if the sentence has a day.
  private func rangeOfTimes(_ position: Int) -> Piece? {
    let between = reader.skip(position, .between)
    guard let start = between ?? reader.skip(position, .from), let first = reader.time(start), first.minutes <= 1440,
      let middle = reader.skip(first.end, between == nil ? .through : .and)
    else { return nil }
    let second = middle < words.count && reader.isWord(middle, .dangling) ? middle + 1 : middle
    guard let last = reader.time(second), isBoundary(last.end) else { return nil }
    // `tra le 14 e le 15` has the articles of hours.
    if first.isBare, last.isBare, second == middle || !words[second].isNumber {
      let others = words.indices.filter { !(position..<last.end).contains($0) }
      // `entre 8h et 10h`
      let hour = words[start].key.hasSuffix("h") ? words[start].key.dropLast() : words[start].key[...]
      guard Self.hour(hour) != nil, !reader.isWord(last.end, .measure),
        others.contains(where: { reader.day($0)?.isExplicit == true })
      else { return nil }
    }
    let ends = [first, last].map { Piece(kind: .time($0), range: start..<last.end) }
    return Piece(kind: .range(ends), range: position..<last.end)
  }

  /// Joins the ends of ranges: `10am - 11am`, `from 2 to 4pm`, `1 dec - 14 dec`.
  func joiningRanges(_ pieces: [Piece]) -> [Piece] {
    var result: [Piece] = []
    for piece in pieces {
      if let last = result.last, isRange(last, piece) {
        result[result.count - 1] = Piece(
          kind: .range(beginningBefore(last, piece)), range: last.range.lowerBound..<piece.range.upperBound)
      } else if let day = day(before: piece, after: result.last?.range.upperBound ?? 0) {
        result.append(Piece(kind: .range([day, piece]), range: day.range.lowerBound..<piece.range.upperBound))
      } else if let hour = hour(before: piece, after: result.last?.range.upperBound ?? 0) {
        result.append(Piece(kind: .range([hour, piece]), range: hour.range.lowerBound..<piece.range.upperBound))
      } else {
        result.append(piece)
      }
    }
    return result
  }

  /// Returns the ends of a range, the first of which may be a year too late if it is past: `28 dec - 3 jan` on 30 December.
  private func beginningBefore(_ first: Piece, _ last: Piece) -> [Piece] {
    guard case .day(var day) = first.kind, case .day(let end) = last.kind, !day.hasYear, day.weekday == nil,
      let start = day.date, let date = end.date, start > date, let earlier = start.adding(months: -12)
    else { return [first, last] }
    day.value = .date(earlier)
    return [Piece(kind: .day(day), range: first.range, hasConnective: first.hasConnective), last]
  }

  private func isRange(_ first: Piece, _ second: Piece) -> Bool {
    switch (first.kind, second.kind) {
    case (.day, .day), (.time, .time): break
    default: return false
    }
    if first.range.upperBound == second.range.lowerBound {
      return second.hasConnective && reader.skip(second.range.lowerBound, .through) != nil
    }
    return reader.skip(first.range.upperBound, .through) == second.range.lowerBound
  }

  /// Returns the day in `24. bis 31. Dezember` or `vom 24.12. bis 2.1.` before the last one.
  private func day(before piece: Piece, after start: Int) -> Piece? {
    guard case .day(let day) = piece.kind, let date = day.date,
      let through = through(before: piece) ?? and(before: piece), through > start
    else {
      return nil
    }
    for position in max(start, through - 3)..<through {
      if let first = reader.day(position), first.end == through, first.date != nil,
        !words[position].beginsWithDigit || !reader.isWord(position - 1, .numbered),
        !NameRules(grammar: self).isEndOfNumbers(position, through: position - 1),
        first.weekday == nil || day.weekday != nil
      {
        return Piece(kind: .day(first), range: position..<through)
      }
    }
    let word = words[through - 1]
    guard word.beginsWithDigit,
      words[piece.range].first(where: { $0.beginsWithDigit || $0.core.count > 2 })?.beginsWithDigit == true,
      let number = Self.day(word.key),
      number < date.day, !reader.isWord(through - 2, .numbered), isNumberOfDay(through - 1),
      let first = CalendarDate(year: date.year, month: date.month, day: number)
    else { return nil }
    return Piece(kind: .day(DayMatch(value: .date(first), end: through)), range: through - 1..<through)
  }

  /// Whether a number without a month is a day: after `from`, with the ending of a day, or before `to` or a dash.
  func isNumberOfDay(_ position: Int) -> Bool {
    // `dall'8 al 12 dicembre`
    if !words[position].isNumber || words[position].trailing == "." || !words[position].beginsText { return true }
    if position > 0,
      ["from", "von", "vom", "du", "de", "del", "dal", "between", "les", "los", "el", "il", "i", "le"].contains(
        words[position - 1].key)
    {
      return true
    }
    return ["to", "-", "–", "—", "through", "thru"].contains(words[position + 1].text)
  }

  /// Returns the position of the word such as `to` before a piece.
  private func through(before piece: Piece) -> Int? {
    let start = piece.range.lowerBound
    if piece.hasConnective, reader.skip(start, .through) != nil { return start }
    return start > 0 && reader.skip(start - 1, .through) == start ? start - 1 : nil
  }

  /// Returns the position of the word such as `and` before a piece: `le 24 et 25 décembre`.
  private func and(before piece: Piece) -> Int? {
    let start = piece.range.lowerBound
    return start > 1 && words[start - 2].isNumber && reader.skip(start - 1, .and) == start ? start - 1 : nil
  }

  /// Returns the hour in `2 to 4pm` before `4pm`.
  private func hour(before piece: Piece, after end: Int) -> Piece? {
    guard case .time(let time) = piece.kind else { return nil }
    let start = piece.range.lowerBound
    let through = piece.hasConnective && reader.skip(start, .through) != nil ? start : start - 1
    guard through > end, reader.skip(through, .through) ?? reader.skip(through, .and) != nil,
      words[through - 1].isNumber, let hour = Self.hour(words[through - 1].key)
    else { return nil }
    if reader.isWord(through - 2, .numbered) || !words[through - 1].trailing.isEmpty { return nil }
    // `table for 6 to 9pm`
    if through > 1, ["for", "für", "pour", "para", "per"].contains(words[through - 2].key) { return nil }
    let first = through - 2 >= end && reader.skip(through - 2, .beforeTime) == through - 1 ? through - 2 : through - 1
    return Piece(kind: .time(Self.time(hour: hour, before: time)), range: first..<through)
  }
}

extension Word {
  /// Whether the word has a character that may be between the ends of a range: a hyphen, a point, a slash or a dash.
  fileprivate var hasSeparator: Bool { key.utf8.contains { (0x2D...0x2F).contains($0) || $0 == 0xE2 } }
}

extension Piece {
  fileprivate var isDay: Bool {
    if case .day = kind { true } else { false }
  }
}
