import ToDoModel

/// Days of a month that are counted: `first and third friday`, `last day`.
struct OrdinalDays {
  var match: RepetitionMatch
  /// Whether `of the month` or a month's name follows.
  var hasMonth = false
  var end: Int
}

extension Grammar {
  // MARK: Days of the week

  /// Reads `mondays`, `on tuesdays and thursdays`, `sunday nights`, `weekdays 9am`, `on weekends`.
  func weekdays(_ position: Int) -> RepetitionReading? {
    if let end = reader.skip(position, .workdays), isRepeated(position, end) { return (.workdays, end) }
    if let end = reader.skip(position, .weekends), isRepeated(position, end) {
      return (RepetitionMatch(frequency: .weekly, weekdays: [.init(5), .init(6)]), end)
    }
    if let other = everyOtherWeekday(position) { return other }
    // Spanish has the article with the days: `los martes`.
    let own = weekdayList(position).flatMap { $0.isPlural ? position : nil }
    let start = own ?? reader.skip(position, .onDays) ?? reader.skip(position, .beforeDay) ?? position
    // `Ver Los lunes al sol`
    if own != nil, position > 0, reader.vocabulary.capitalDays == .never, words[position].beginsUppercase { return nil }
    guard let list = weekdayList(start) else { return nil }
    if !list.isPlural, let weekly = everyWeek(list.end) {
      // `mon and wed every week`
      return (list.match.every(weekly.match.interval), weekly.end)
    }
    // `mon, wed` without an ending are days.
    guard list.isPlural, start > position || isPlain(start, list.end) else { return nil }
    // `need a sub for tuesdays 9am class`
    if start > 0, words[start - 1].key == "for", let time = reader.time(list.end), !isBoundary(time.end) {
      return nil
    }
    return (list.match, list.end)
  }

  /// Reads `un lundi sur deux`, every other Monday.
  private func everyOtherWeekday(_ position: Int) -> RepetitionReading? {
    guard let number = reader.number(position), number.value == 1, let day = reader.weekday(number.end),
      let end = reader.skip(day.end, .outOfTwo)
    else { return nil }
    return (RepetitionMatch(frequency: .weekly, interval: 2, weekdays: [.init(day.value)]), end)
  }

  /// Reads `every week`, `weekly`, `every 2 weeks` after days.
  private func everyWeek(_ position: Int) -> RepetitionReading? {
    guard position < words.count, words[position - 1].trailing.allSatisfy({ $0 == "," }),
      let weekly = every(position) ?? adverb(position), weekly.match.frequency == .weekly, !weekly.match.hasDays
    else { return nil }
    return weekly
  }

  /// Returns a repetition without the days after a word such as `except`: `every day except sunday`.
  func except(_ match: RepetitionMatch, _ position: Int) -> RepetitionReading? {
    guard position < words.count, let except = reader.skip(position, .except), match.interval == 1 else { return nil }
    let days: [Int]
    switch match.frequency {
    case .daily where !match.hasDays: days = Array(0..<7)
    case .weekly where !match.weekdays.isEmpty: days = match.weekdays.map(\.day)
    default: return nil
    }
    let on = reader.skip(except, .onDays) ?? except
    let weekend = (reader.skip(on, .weekends) ?? reader.skip(on, .span(.weekend))).map { ([5, 6], $0) }
    guard let (excluded, end) = weekend ?? weekdayList(on).map({ ($0.match.weekdays.map(\.day), $0.end) }) else {
      return nil
    }
    var result = match
    (result.frequency, result.weekdays) = (.weekly, days.filter { !excluded.contains($0) }.map { .init($0) })
    return result.weekdays.isEmpty ? nil : (result, end)
  }

  /// Whether days in the plural are not a name: `Mondays water the plants`, `yoga Mondays at 6`, but not `TGI Fridays`.
  private func isPlain(_ position: Int, _ end: Int) -> Bool {
    guard position > 0, words[position].beginsUppercase else { return true }
    // `4 Thursdays from 7 Jan`
    if words[position - 1].isNumber, words[position - 1].core.count < 3 { return true }
    guard words[position - 1].isLowercase || position == 1, !reader.isWord(position - 1, .dangling) else {
      return false
    }
    if end - position > 1 || end == words.count && position > 1 { return true }
    return isBeforeTime(end) || reader.time(end)?.isBare == false
  }

  private func isBeforeTime(_ end: Int) -> Bool {
    end < words.count && timeWithConnective(end, isAdjacent: true) != nil
  }

  /// Whether something repeats on days: `weekdays 9am`, `on weekends`, but not `plan family weekends`.
  private func isRepeated(_ position: Int, _ end: Int) -> Bool {
    if isRepetitionOnly { return true }
    guard end == position + 1, reader.vocabulary.capitalDays == .always else { return isBoundary(end) }
    return end < words.count && (reader.time(end)?.isBare == false || timeWithConnective(end, isAdjacent: true) != nil)
  }

  /// Reads `mon`, `mon, wed and fri`, `mon-fri`, `monday to friday`, `tuesday evenings`.
  ///
  /// - Parameter isLoose: whether the days need no commas: `every mon wed fri`.
  func weekdayList(_ position: Int, isLoose: Bool = false) -> (match: RepetitionMatch, isPlural: Bool, end: Int)? {
    guard var (days, isPlural, end) = compactWeekdays(position) ?? oneWeekday(position) else { return nil }
    if let last = through(end), let first = days.last {
      days += Self.days(from: first, through: last.value)
      end = last.end
    }
    while let next = listed(end) ?? (isLoose && words[end - 1].trailing.isEmpty ? end : nil),
      let day = oneWeekday(reader.skip(next, .every) ?? next),
      reader.skip(next, .name) == nil
    {
      days += day.days
      isPlural = isPlural || day.isPlural
      end = day.end
    }
    var match = RepetitionMatch(frequency: .weekly, weekdays: days.map { RecurrenceRule.Weekday($0) })
    if let part = reader.take(position, { if case .weekdayPart(_, let part) = $0 { part } else { nil } }) {
      match.part = part.value
    } else if let part = reader.take(end, { if case .parts(let part) = $0 { part } else { nil } }) {
      (match.part, isPlural, end) = (part.value, true, part.end)
    }
    return (match, isPlural, end)
  }

  /// Reads `mo, we and fr`, whose words are days only in a list.
  func shortWeekdays(_ position: Int) -> (match: RepetitionMatch, isPlural: Bool, end: Int)? {
    guard reader.vocabulary.capitalDays == .always else { return nil }
    var (days, end) = ([RecurrenceRule.Weekday](), position)
    var next: Int? = position
    while let start = next, start < words.count, let day = RecurrenceRule.shortDays.firstIndex(of: words[start].key) {
      days.append(.init(day))
      end = start + 1
      next = listed(end)
    }
    if days.count < 2, let letters = spacedLetters(position) {
      return (RepetitionMatch(frequency: .weekly, weekdays: letters.days.map { .init($0) }), false, letters.end)
    }
    guard days.count > 1, isBoundary(end) else { return nil }
    return (RepetitionMatch(frequency: .weekly, weekdays: days), false, end)
  }

  private func oneWeekday(_ position: Int) -> (days: [Int], isPlural: Bool, end: Int)? {
    guard position < words.count else { return nil }
    let match = reader.take(position) { lexeme -> (day: Int, isPlural: Bool)? in
      switch lexeme {
      case .weekday(let day), .weekdayPart(let day, _): (day, false)
      case .weekdays(let day): (day, true)
      default: nil
      }
    }
    // `Friday's`
    guard let match, !["'", "’"].contains(words[match.end - 1].trailing.prefix(1)) else { return nil }
    return ([match.value.day], match.value.isPlural, match.end)
  }

  /// Reads `mon-fri`, `Mon/Wed/Fri`, `m/w/f`, `MWF`.
  func compactWeekdays(_ position: Int) -> (days: [Int], isPlural: Bool, end: Int)? {
    guard position < words.count else { return nil }
    if reader.isWord(position, .dayLetters) {
      return RecurrenceRule.days(inLetters: words[position].key).map { ($0, false, position + 1) }
    }
    guard words[position].key.utf8.contains(where: { "-/+&,".utf8.contains($0) || $0 == 0xE2 }) else { return nil }
    for (separator, isRange) in [("-", true), ("–", true), ("/", false), ("+", false), ("&", false), (",", false)] {
      let parts = words[position].key.split(separator: separator)
      guard parts.count > 1, parts.count < 8 else { continue }
      let days = parts.compactMap(dayInLetters)
      guard days.count == parts.count, !isRange || days.count == 2 else { return nil }
      return (isRange ? [days[0]] + Self.days(from: days[0], through: days[1]) : days, false, position + 1)
    }
    return nil
  }

  /// Reads days in capital letters: `M W F`, `T Th`.
  func spacedLetters(_ position: Int) -> (days: [Int], end: Int)? {
    var (days, end) = ([Int](), position)
    while end < words.count, words[end].core.utf8.count < 3, words[end].beginsUppercase, words[end].leading.isEmpty,
      let day = RecurrenceRule.days(inLetters: words[end].key), day.count == 1, days.last ?? -1 < day[0]
    {
      days += day
      end += 1
      guard words[end - 1].trailing.isEmpty else { break }
    }
    return days.count > 1 && reader.vocabulary.capitalDays == .always && isBoundary(end) ? (days, end) : nil
  }

  private func dayInLetters(_ text: Substring) -> Int? {
    if text.utf8.count > 2 || reader.vocabulary.capitalDays != .always {
      return reader.reading([Word(text)]).weekday(0)?.value
    }
    return RecurrenceRule.days(inLetters: String(text)).flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// Reads days of the week in one word without `every`, none of which is meant alone: `m/w/f`, `MWF 2pm`, `M-F 9am`.
  func daysInOneWord(_ position: Int) -> Piece? {
    guard let (days, _, end) = compactWeekdays(position), days.count > 1,
      words[position].core.utf8.count > 3 || reader.isWord(position, .dayLetters) || isBesideDigits(position)
    else { return nil }
    return range(days, position, end)
  }

  /// Reads `M W F` without `every`, none of which is meant alone.
  func daysInWords(_ position: Int) -> Piece? {
    spacedLetters(position).flatMap { range($0.days, position, $0.end) }
  }

  private func range(_ days: [Int], _ position: Int, _ end: Int) -> Piece {
    let ends = days.compactMap { reader.today.adding(days: reader.distance(to: $0)) }
      .map { Piece(kind: .day(DayMatch(value: .date($0), end: end)), range: position..<end) }
    return Piece(kind: .range(ends), range: position..<end)
  }

  /// Whether a time may be beside a word.
  private func isBesideDigits(_ position: Int) -> Bool {
    let next = reader.skip(position + 1, .at) ?? position + 1
    return [position - 1, next].contains { words.indices.contains($0) && words[$0].beginsWithDigit }
  }

  private func through(_ position: Int) -> (value: Int, end: Int)? {
    guard position < words.count, words[position - 1].trailing.isEmpty, let next = reader.skip(position, .through)
    else {
      return nil
    }
    return anyWeekday(next)
  }

  /// Returns the days after one up to another.
  private static func days(from first: Int, through last: Int) -> [Int] {
    (1...6).map { (first + $0) % 7 }.prefix((last - first + 7) % 7).map { $0 }
  }

  /// Reads `mon` or `mondays`.
  func anyWeekday(_ position: Int) -> (value: Int, end: Int)? {
    reader.take(position) { lexeme in
      switch lexeme {
      case .weekday(let day), .weekdays(let day): day
      default: nil
      }
    }
  }

  /// Returns the position after a comma or `and`, where a list goes on.
  func listed(_ end: Int) -> Int? {
    guard end < words.count, words[end].leading.isEmpty, reader.skip(end, .orLastDay) == nil else { return nil }
    let trailing = words[end - 1].trailing
    if let and = reader.skip(end, .and), [",", "", "."].contains(trailing) { return and }
    return [",", ".,"].contains(trailing) ? end : nil
  }

  // MARK: Counted days

  /// Reads `1st`, `1st and 15th`, `first, third`, `last`. The last is 0.
  func ordinals(_ position: Int) -> (numbers: [Int], end: Int)? {
    guard let first = reader.ordinal(position) else { return nil }
    var (numbers, end) = ([first.value], first.end)
    while let next = listed(end),
      let number = reader.ordinal(next) ?? reader.skip(next, .article).flatMap({ reader.ordinal($0) })
    {
      numbers.append(number.value)
      end = number.end
    }
    return (numbers, end)
  }

  /// Reads what is counted: `friday`, `friday of the month`, `day of the month`, `monday of may`.
  func ordinalDays(_ numbers: [Int], _ end: Int) -> OrdinalDays? {
    if let day = reader.skip(end, .unit(.day)) {
      guard let month = endOfMonth(day) else { return nil }
      let days = RepetitionMatch(frequency: .monthly, monthDays: numbers.map { $0 == 0 ? -1 : $0 })
      return OrdinalDays(match: days, hasMonth: true, end: month)
    }
    guard numbers.allSatisfy({ $0 <= 5 }), let first = anyWeekday(end) else { return nil }
    var (weekdays, end) = ([first.value], first.end)
    while let next = listed(end), let day = anyWeekday(next) {
      weekdays.append(day.value)
      end = day.end
    }
    let days = numbers.flatMap { number in
      weekdays.map { RecurrenceRule.Weekday($0, ordinal: number == 0 ? -1 : number) }
    }
    if let of = reader.skip(end, .of), let month = reader.month(of) {
      let match = RepetitionMatch(frequency: .yearly, weekdays: days, months: [month.value])
      return OrdinalDays(match: match, hasMonth: true, end: month.end)
    }
    let match = RepetitionMatch(frequency: .monthly, weekdays: days)
    let month = endOfMonth(end)
    return OrdinalDays(match: match, hasMonth: month != nil, end: month ?? end)
  }

  private func endOfMonth(_ position: Int) -> Int? {
    reader.skip(position, .ofMonth) ?? reader.skip(position, .ofEveryMonth)
  }

  /// Reads `1st of every month`, `el 5 de cada mes`, `first thursday of every month`, `end of each month`.
  func dayOfEveryMonth(_ position: Int) -> RepetitionReading? {
    let connective = reader.skip(position, .onDays) ?? reader.skip(position, .beforeDay) ?? position
    let start = reader.skip(connective, .article) ?? connective
    guard start < words.count else { return nil }
    if let edge = edgeOfEveryMonth(start) { return edge }
    let counted = ordinals(start)
    guard let (numbers, end) = counted ?? numberOfDay(start) else { return nil }
    if let weekend = reader.skip(end, .span(.weekend)), let monthly = everyMonths(weekend) {
      let days = numbers.map { RecurrenceRule.Weekday(5, ordinal: $0 == 0 ? -1 : $0) }
      return (
        RepetitionMatch(frequency: .monthly, interval: monthly.match.interval, weekdays: days).asSpan, monthly.end
      )
    }
    // `4 Thursdays` are not counted in a month.
    if counted != nil, let days = ordinalDays(numbers, end), words[days.end - 1].trailing.isEmpty || days.hasMonth {
      // `first monday of the month` is one day.
      let isRepeated = (end..<days.end).contains { reader.skip($0, .ofEveryMonth) == days.end } || isPlural(end)
      if isRepeated { return (days.match, days.end) }
      if days.match.frequency == .yearly, let yearly = every(days.end) ?? adverb(days.end),
        yearly.match.frequency == .yearly, !yearly.match.hasDays
      {
        return (days.match.every(yearly.match.interval), yearly.end)
      }
      if days.match.frequency == .monthly, let monthly = everyMonths(days.end) {
        return (days.match.every(monthly.match.interval), monthly.end)
      }
      guard days.match.frequency == .monthly, !days.hasMonth, let month = reader.skip(days.end, .ofEveryMonth) else {
        return nil
      }
      return (days.match, month)
    }
    if let days = dayOfMonths(numbers, end, isOrdinal: start > connective || !words[start].isNumber) { return days }
    guard !numbers.contains(0), let month = reader.skip(end, .ofEveryMonth), isBoundary(month) else { return nil }
    return (RepetitionMatch(frequency: .monthly, monthDays: numbers), month)
  }

  /// Whether days are in the plural: `first sundays`.
  private func isPlural(_ position: Int) -> Bool {
    reader.take(position) { if case .weekdays = $0 { true } else { nil } } != nil
  }

  /// Reads `every 3 months` or `quarterly` after a day of a month.
  private func everyMonths(_ position: Int) -> RepetitionReading? {
    guard position < words.count, words[position - 1].trailing.allSatisfy({ ",.".contains($0) }),
      let monthly = every(reader.skip(position, .of) ?? position) ?? adverb(position),
      monthly.match.frequency == .monthly, !monthly.match.hasDays
    else { return nil }
    return monthly
  }

  /// Reads `1st every 3 months`, `last day every quarter`.
  private func dayOfMonths(_ numbers: [Int], _ end: Int, isOrdinal: Bool) -> RepetitionReading? {
    guard isOrdinal else { return nil }
    let day = reader.skip(end, .unit(.day))
    guard let monthly = everyMonths(day ?? end), day != nil || !numbers.contains(0) else { return nil }
    let days = RepetitionMatch(frequency: .monthly, monthDays: numbers.map { $0 == 0 ? -1 : $0 })
    return (days.every(monthly.match.interval), monthly.end)
  }

  /// Reads `end of every month`, `Anfang jedes Monats`.
  private func edgeOfEveryMonth(_ position: Int) -> RepetitionReading? {
    guard let edge = reader.take(position, { if case .edge(let edge) = $0 { edge } else { nil } }) else { return nil }
    let every = reader.skip(edge.end, .every).flatMap { reader.skip($0, .unit(.month)) }
    guard let end = every ?? reader.skip(edge.end, .ofEveryMonth) else { return nil }
    let day: Int? =
      switch edge.value {
      case .start: 1
      case .middle: 15
      case .end: -1
      case .late: nil
      }
    return day.map { (RepetitionMatch(frequency: .monthly, monthDays: [$0]), end) }
  }

  /// Reads `5` or `día 5`.
  private func numberOfDay(_ position: Int) -> (numbers: [Int], end: Int)? {
    let start = reader.skip(position, .unit(.day)) ?? position
    guard start < words.count, let day = reader.dayNumber(start), day.value <= 31 else { return nil }
    var (numbers, end) = ([day.value], day.end)
    while let next = listed(end), let number = reader.dayNumber(next), number.value <= 31 {
      numbers.append(number.value)
      end = number.end
    }
    return (numbers, end)
  }

  // MARK: After a unit

  /// Returns a repetition that names no days with those after it: `every month on the 1st`, `every 2 weeks on mon, thu`.
  func days(of match: RepetitionMatch, _ position: Int) -> RepetitionReading? {
    guard position < words.count, [",", ""].contains(words[position - 1].trailing), !match.isAfterDone else {
      return nil
    }
    let on = reader.skip(position, .onDays)
    let start = on.flatMap { reader.skip($0, .article) } ?? on ?? position
    guard start < words.count, words[start - 1].trailing.allSatisfy({ $0 == "," }) else { return nil }
    let found: RepetitionReading? =
      switch match.frequency {
      case .daily: weeklyDays(of: match, start)
      case .weekly: weekdayList(start, isLoose: true).map { ($0.match, $0.end) }
      case .monthly: on == nil ? nil : monthlyDays(start)
      case .yearly: yearlyDays(position, start)
      }
    guard case (var days, let end)? = found else { return nil }
    days.interval = match.interval * (days.frequency == match.frequency ? 1 : 0)
    if days.interval == 0 { days.interval = match.interval / 7 }
    return (days, end)
  }

  /// Reads the days after `alle 14 Tage`, which are weeks.
  private func weeklyDays(of match: RepetitionMatch, _ position: Int) -> RepetitionReading? {
    guard match.interval % 7 == 0, let list = weekdayList(position) else { return nil }
    return (list.match, list.end)
  }

  private func monthlyDays(_ position: Int) -> RepetitionReading? {
    if let end = reader.skip(position, .endOf(.month)) {
      return (RepetitionMatch(frequency: .monthly, monthDays: [-1]), end)
    }
    guard let (numbers, end) = ordinals(position) ?? numberOfDay(position) else { return nil }
    if let days = ordinalDays(numbers, end) { return days.match.frequency == .monthly ? (days.match, days.end) : nil }
    if numbers == [0], let day = reader.skip(end, .unit(.day)) {
      return (RepetitionMatch(frequency: .monthly, monthDays: [-1]), day)
    }
    return numbers.contains(0) || reader.month(end) != nil || reader.skip(end, .unit(.day)) != nil
      ? nil : (RepetitionMatch(frequency: .monthly, monthDays: numbers), end)
  }

  private func yearlyDays(_ position: Int, _ start: Int) -> RepetitionReading? {
    if let form = reader.calendarForm(start), let month = form.month, form.year == nil, (1...12).contains(month),
      form.dates(from: reader.today).first != nil
    {
      var (months, end) = ([month], form.end)
      while let next = listed(end), let other = reader.calendarForm(next), let month = other.month, other.year == nil,
        other.day == form.day, (1...12).contains(month)
      {
        months.append(month)
        end = other.end
      }
      return (RepetitionMatch(frequency: .yearly, monthDays: [form.day], months: months), end)
    }
    if let (numbers, end) = ordinals(start), let days = ordinalDays(numbers, end) {
      return days.match.frequency == .yearly ? (days.match, days.end) : nil
    }
    let at = reader.skip(position, .beforeHoliday) ?? start
    if let holiday = reader.take(at, { if case .holiday(let holiday) = $0 { holiday.rule } else { nil } }) {
      return (holiday.value, holiday.end)
    }
    guard let month = reader.skip(position, .beforeMonth).flatMap(reader.month), words[month.end - 1].core.count > 2
    else {
      return nil
    }
    var match = RepetitionMatch(frequency: .yearly, monthDays: [1], months: [month.value])
    match.isSpan = true
    return (match, month.end)
  }
}

extension RecurrenceRule {
  /// The days of the week in two letters, from Monday.
  fileprivate static let shortDays = ["mo", "tu", "we", "th", "fr", "sa", "su"]

  /// Returns the days of the week that letters stand for: `mwf`, `tuth`; `nil` if one stands for none.
  fileprivate static func days(inLetters text: String) -> [Int]? {
    var (days, rest) = ([Int](), text[...])
    while let letter = rest.first {
      if let day = shortDays.firstIndex(where: { rest.hasPrefix($0) }) {
        days.append(day)
        rest.removeFirst(2)
      } else if let day = ["m": 0, "t": 1, "w": 2, "r": 3, "f": 4][letter] {
        days.append(day)
        rest.removeFirst()
      } else {
        return nil
      }
    }
    return days
  }
}

extension Piece {
  /// The repetition that it is.
  var repetition: RepetitionMatch? {
    if case .repetition(let match) = kind { match } else { nil }
  }
}
