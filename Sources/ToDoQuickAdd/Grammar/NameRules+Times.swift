import ToDoModel

extension NameRules {
  /// Whether a time is a measure, a ratio or a name: `at 5:30 pace`, `drucken in 1:50`, `look for Midnight the cat`.
  func isNamed(_ time: TimeMatch, _ position: Int) -> Bool {
    let isFollowed = words[time.end - 1].trailing.isEmpty
    if !time.isBare, isFollowed, reader.isWord(time.end, .measure) { return true }
    if isRatio(time, position) || isPassage(time, position) { return true }
    // `aggiornare alla 5.11`; only one o'clock is singular
    if position > 0, ["alla", "la"].contains(words[position - 1].key), !words[position - 1].isAllUppercase,
      reader.vocabulary.isWord("alla", .dangling), time.minutes / 60 % 12 != 1
    {
      return true
    }
    let isCapitalized = words[position].beginsUppercase && !words[position].isAllUppercase
    guard reader.clock(position) != nil, isCapitalized, reader.vocabulary.capitalDays != .asNouns else { return false }
    return !grammar.isBoundary(time.end) || (position <= 2 && reader.isWord(0, .work))
  }

  /// Whether a time after a word such as `from` describes the word after it: `return the call from 3:15 voicemail`,
  /// `set the recorder for 8pm game`.
  func isOrigin(_ time: TimeMatch, after connective: Int) -> Bool {
    guard connective > 0, !grammar.isBoundary(time.end), let letter = words[time.end].core.first else { return false }
    return words[connective].key == "from" && letter.isLetter || words[connective].key == "for" && letter.isLowercase
  }

  /// Whether a time in digits is a ratio: `dilute the paint 1:10`.
  func isRatio(_ time: TimeMatch, _ position: Int) -> Bool {
    guard words[position].key.contains(":"), time.minutes < 240, time.minutes % 15 != 0 else { return false }
    return clause(position).contains { reader.isWord($0, .ratio) }
  }

  /// Whether a time is where something is in a text or a recording: `translate the line at 4:20`.
  func isPassage(_ time: TimeMatch, _ position: Int) -> Bool {
    position > 2 && time.isOfTwelveHours && reader.skip(position - 1, .at) == position
      && reader.isWord(position - 2, .passage) && reader.skip(position - 3, .article) != nil
      && !words.indices.contains { reader.day($0) != nil }
  }

  /// The words around a position that no punctuation parts from it.
  func clause(_ position: Int) -> ClosedRange<Int> {
    func isEnd(_ position: Int) -> Bool { words[position].isPunctuation || !words[position].trailing.isEmpty }
    var (start, end) = (position, position)
    while start > 0, !isEnd(start - 1) { start -= 1 }
    while end < words.count - 1, !isEnd(end) { end += 1 }
    return start...end
  }

  /// Whether a word before one such as `at`, which is at `connective`, says that a number is an amount: `keep the oven at 20`, but
  /// not `budget review at 15`.
  func isAmount(_ position: Int, before connective: Int) -> Bool {
    guard reader.isWord(position, .amount) else { return false }
    let next = position + 1
    return reader.vocabulary.capitalDays != .always || next == connective || reader.isWord(next, .dangling)
      || ["sell", "bid"].contains(words[position].key)
  }

  /// Whether a number after a word such as `at`, which is at `connective`, is not an hour: `at 10 Elm Street`, `set it to 20`.
  ///
  /// - Parameter isAdjacent: whether the word follows a day.
  func isNumber(_ time: TimeMatch, _ position: Int, after connective: Int, isAdjacent: Bool) -> Bool {
    let key = words[connective].key
    // `Alle 16 chiamare`
    if connective == 0 || isAdjacent, ["alle", "las", "dalle"].contains(words[position - 1].key) {
      return reader.isWord(time.end, .measure)
    }
    if isEndOfNumbers(position, through: connective) { return true }
    // `checks that start at 1201`
    if !isAdjacent, words[position].isNumber, words[position].core.count == 4, time.minutes % 5 != 0,
      !reader.hasEvent(.travel)
    {
      return true
    }
    // `set the alarm for 6 tomorrow`
    if key == "for", connective > 0, words[connective - 1].key == "alarm", reader.day(time.end) != nil { return false }
    if ["for", "from", "von", "de", "pour"].contains(key), connective + 1 == position { return true }
    if words[position].key == "one", key != "at" { return true }
    // `ca. 10 einladen`
    if ["ca", "circa", "zirka", "etwa", "ungefähr", "environ", "aprox", "approx", "approximately"].contains(key) {
      return true
    }
    // `Bajar el precio a 20`; an hour has an article: `a las 20`.
    if key == "a", connective + 1 == position, !isAdjacent || !words[position].key.hasSuffix("h") { return true }
    if isEndOfCount(time, position, through: connective) { return true }
    if !isAdjacent, words[position].isNumber, time.minutes > 720,
      clause(position).prefix(while: { $0 < connective }).contains(where: { isAmount($0, before: connective) })
    {
      return true
    }
    if reader.isWord(time.end, .measure), grammar.isInfinitive(time.end) { return true }
    if grammar.isBoundary(time.end) { return false }
    // `at 10 room 5`
    let next = time.end + 1
    if reader.isWord(time.end, .numbered), next < words.count, words[next].beginsWithDigit { return false }
    // `At 5 pick up the kids`
    if key == "at", connective == 0, words[position].isNumber, time.minutes <= 720, words[time.end].isLowercase,
      !reader.isWord(time.end, .measure), reader.duration(position) == nil
    {
      return false
    }
    return !isAdjacent || reader.isWord(time.end, .measure) || reader.isWord(time.end + 1, .street)
  }

  /// Whether a number is the last one that is counted, or of pages: `Seite 12 bis 20 lesen`, `compter de 1 à 10`.
  func isEndOfCount(_ time: TimeMatch, _ position: Int, through connective: Int) -> Bool {
    guard connective > 0, let first = Int(words[connective - 1].key),
      first * 60 < time.minutes || !words[position].isNumber, !words[position].key.hasSuffix("h"),
      reader.skip(connective, .through) != nil
    else { return false }
    if grammar.isInfinitive(time.end) || reader.isWord(connective - 2, .numbered) { return true }
    return connective > 1 && ["de", "da", "von"].contains(words[connective - 2].key)
      && !words.indices.contains { reader.day($0) != nil }
  }

  /// Whether a time without a word before it is a time.
  func isTime(_ time: TimeMatch, _ position: Int, after last: Piece?) -> Bool {
    if isAfterOther(time, position, last) { return true }
    let isAdjacent = position > 0 && last?.range.upperBound == position
    // `appt 11.20 Thurs`
    if time.isBare {
      return isHourBesideDay(time, position, after: last) || isBeforeWeekday(time, position)
        || isBeforeRepetition(time, position)
    }
    // `Feierabend feiern`
    if words[position].key == "feierabend" { return isAdjacent }
    // `Midnight release of Zelda`, but not `Midnight: call Ann`
    if position == 0, words[0].key == "midnight", !grammar.isBoundary(time.end) { return false }
    guard position > 0, !isAdjacent else { return true }
    return !isResult(position) && isTimeInside(time, position)
  }

  /// Whether a time is a race result: `swim it in 5:20`, but not `check in 5:20`; `beat Ken's 21:35`.
  func isResult(_ position: Int) -> Bool {
    let (word, previous) = (words[position], words[position - 1])
    if words[0].key == "beat" { return true }
    return word.key.contains(":") && !word.key.hasSuffix("m") && previous.key == "in" && previous.trailing.isEmpty
      && !reader.isWord(position - 2, .phrasal) && reader.half(position + 1) == nil
  }

  /// Whether a time that is neither the first word nor beside a date is a time.
  func isTimeInside(_ time: TimeMatch, _ position: Int) -> Bool {
    let (word, previous) = (words[position], words[position - 1])
    // `under 5:30`, `5:30 pace`
    if reader.isWord(position - 1, .ratio) || isNamed(time, position) { return false }
    // `seat 12A`
    if word.beginsWithDigit, reader.isWord(position - 1, .numbered), !word.key.contains(":"), !word.isHourOfDay {
      return false
    }
    // `Watch 3:10 to Yuma`
    if position == 1, reader.isWord(0, .work), time.end < words.count, !grammar.isDate(time.end) { return false }
    // `cancel 3pm with Omar`
    if position == 1, reader.isWord(0, .rescheduling), previous.trailing.isEmpty { return false }
    // `cuire 1h30`
    if time.minutes < 300, word.beginsWithDigit, word.key.contains("h") { return false }
    // `John 3:16`
    if time.minutes % 5 != 0, word.key.contains(":"), previous.trailing.isEmpty, reader.isWord(position - 1, .book) {
      return false
    }
    if let duration = reader.duration(position), duration.end >= time.end, !word.isHourOfDay { return false }
    // `Standup auf 9:45 verlegen`
    if previous.trailing.isEmpty, ["auf", "aufs"].contains(previous.key) { return false }
    // `take the 9:05 to Boston`
    if previous.trailing.isEmpty, reader.skip(position - 1, .article) == position { return false }
    // `need a sub for tuesdays 9am class`
    if !grammar.isBoundary(time.end), let days = grammar.weekdayList(position - 1), days.isPlural { return false }
    let isObject = reader.isWord(position - 1, .dangling)
    if reader.clock(position) != nil {
      let isName = word.beginsUppercase && !word.isAllUppercase && reader.vocabulary.capitalDays != .asNouns
      return !isObject && !isName && grammar.isBoundary(time.end)
    }
    // `12A` is a seat.
    if word.key.hasSuffix("a") || word.key.hasSuffix("p"), !word.isLowercase { return false }
    if word.key.hasSuffix("a") || word.key.hasSuffix("p") { return grammar.isBoundary(time.end) }
    // `explain why 2:30 fails`, `skip to 12:34`
    return (!isObject && !isMentioned(time, position)) || isEndOfRange(position)
  }

  /// Whether a time is beside another one: `8am and 8pm`, `at 9 or 10`.
  func isAfterOther(_ time: TimeMatch, _ position: Int, _ last: Piece?) -> Bool {
    if isListed(time, position, last) { return true }
    guard let last, case .time = last.kind,
      (reader.skip(last.range.upperBound, .and) ?? reader.skip(last.range.upperBound, .through)) == position,
      words[last.range.upperBound - 1].trailing.isEmpty
    else { return false }
    return words[position].beginsWithDigit && grammar.isBoundary(time.end) && (!time.isBare || time.minutes < 1440)
  }

  /// Whether a number is one of several hours: `bottle at 10, 2 and 6`.
  func isListed(_ time: TimeMatch, _ position: Int, _ last: Piece?) -> Bool {
    guard let last, case .time = last.kind, last.range.upperBound == position, words[position].isNumber,
      words[position - 1].trailing == ",", words[position].key.count < 3, time.minutes < 1440
    else { return false }
    return grammar.isBoundary(time.end)
  }

  /// Whether a sentence is about a time: `explain why 2:30 fails`, `support 9am and 5pm labels`.
  func isMentioned(_ time: TimeMatch, _ position: Int) -> Bool {
    if ["why", "how", "warum", "pourquoi"].contains(words[position - 1].key) { return true }
    guard let next = reader.skip(time.end, .and), let other = reader.time(next) else { return false }
    return !other.isBare && !grammar.isBoundary(other.end)
  }

  /// Whether a number is an hour: `7 in the evening`, `mon 9`.
  func isHourBesideDay(_ time: TimeMatch, _ position: Int, after last: Piece?) -> Bool {
    let word = words[position]
    guard position > 0 else { return false }
    // `7 in the evening`, `eight in the evening`, but not `the one in the evening`
    let isPartOfTime = time.end == words.count || !["first", "early", "late", "mid"].contains(words[time.end].key)
    let isHour = word.isNumber || word.key.hasSuffix("h") || (!word.beginsWithDigit && time.minutes > 60)
    if isHour, isPartOfTime, word.trailing.isEmpty, grammar.part(time.end, isAdjacent: true)?.hasConnective == true,
      !reader.isWord(position - 1, .numbered), word.beginsWithDigit || !reader.isWord(position - 1, .dangling)
    {
      return true
    }
    // `dog park 8 tomorrow morning`
    if word.isNumber, word.trailing.isEmpty, time.isOpen, position > 1, !reader.isWord(position - 1, .numbered),
      !words[position - 1].beginsWithDigit, isDayWithPart(time.end)
    {
      return true
    }
    // `Freitag 4. Stunde`
    guard word.beginsWithDigit, word.trailing != "." || !reader.isWord(time.end, .counted) else { return false }
    guard let last, last.range.upperBound == position else { return false }
    var isAfterWeekday = false
    switch last.kind {
    case .day(let day):
      if day.date == nil || day.isSpan { return false }
      // `next wed 12.30`, `tomorrow 12.30`
      isAfterWeekday =
        day.weekday != nil || reader.weekday(position - 1) != nil || reader.relative(position - 1)?.end == position
    // `samedi matin 10h`
    case .part, .repetition: break
    default: return false
    }
    // `friday 8.15 haircut`, `Sunday 9.30 start`
    let isAtBeginning =
      (last.range.lowerBound == 0 || hasDottedTimes(time)) && word.key.contains(".")
      && !reader.isWord(time.end, .measure)
    return words[position - 1].trailing.allSatisfy { ",.".contains($0) }
      && (isAtBeginning || grammar.isBoundary(time.end))
      && (!word.key.contains(".") || hasDottedTimes(time) || isAfterWeekday && isUsual(time))
  }

  /// Whether a day and a part of it are at a position: `tomorrow morning`.
  private func isDayWithPart(_ position: Int) -> Bool {
    guard let day = reader.day(position), day.weekday != nil || reader.relative(position)?.end == day.end,
      words[day.end - 1].trailing.isEmpty, let part = reader.part(day.end)
    else { return false }
    return grammar.isBoundary(part.end)
  }

  /// Whether a time with a point is one at which something begins, as where months precede days: `friday 8.15`.
  private func isUsual(_ time: TimeMatch) -> Bool {
    isRound(time) && (60..<22 * 60).contains(time.minutes)
  }

  /// Whether `11.20` after an appointment and before its day is a time.
  func isBeforeWeekday(_ time: TimeMatch, _ position: Int) -> Bool {
    guard words[time.end - 1].trailing.isEmpty else { return false }
    // `report for duty 0600 monday`
    if words[position].isNumber, words[position].key.utf8.count == 4, words[position].key.hasPrefix("0"),
      position > 0, !words[position - 1].beginsWithDigit, !reader.isWord(position - 1, .numbered)
    {
      return reader.day(time.end).map { $0.isExplicit && grammar.isBoundary($0.end) } == true
    }
    guard words[position].key.contains("."), isUsual(time) else { return false }
    // `podiatrist 2.15 Thurs`, `Dr Khan, 11.50 on the 7th`, but not `transfer 12.50 friday`
    let isDotted = position > 1 && hasDottedTimes(time) && !reader.isWord(position - 1, .numbered)
    guard isDotted || reader.isWord(position - 1, .appointment) else { return false }
    if time.end < words.count, isDate(time.end) { return true }
    return reader.day(time.end).map { $0.weekday != nil && grammar.isBoundary($0.end) } == true
  }

  /// Whether a day with a date is at a position, also after a word such as `on`.
  private func isDate(_ position: Int) -> Bool {
    if let day = reader.day(position), day.weekday == nil, day.isExplicit, !day.isSpan, day.date != nil {
      return grammar.isBoundary(day.end)
    }
    return grammar.dayWithConnective(position) != nil
  }

  /// Whether `8.20` before a repetition is a time, as where days precede months: `school run 8.20 every weekday`.
  func isBeforeRepetition(_ time: TimeMatch, _ position: Int) -> Bool {
    words[position].key.contains(".") && hasDottedTimes(time) && words[time.end - 1].trailing.isEmpty
      && !reader.isWord(position - 1, .numbered) && (240..<1440).contains(time.minutes)
      && time.end < words.count && grammar.repetition(time.end)?.repetition != nil
  }

  /// Whether `9.30` after a day is a time, as where days precede months: `12 Jan 9.30`.
  func hasDottedTimes(_ time: TimeMatch) -> Bool {
    reader.vocabulary.hasDottedDates || (!reader.isMonthFirst && isRound(time))
  }

  /// Whether people agree on such a time; trains and buses leave at any minute: `train to Leeds 7.42`.
  private func isRound(_ time: TimeMatch) -> Bool { time.minutes % 5 == 0 || reader.hasEvent(.travel) }

  /// Whether a position is after an hour and `to` or `and`: `2 to 4pm`.
  func isEndOfRange(_ position: Int) -> Bool {
    guard position > 1, words[position - 2].isNumber, words[position - 2].key.count < 3 else { return false }
    return reader.skip(position - 1, .through) == position || reader.skip(position - 1, .and) == position
  }
}
