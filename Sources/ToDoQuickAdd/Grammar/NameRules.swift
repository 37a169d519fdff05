import ToDoModel

/// Tells days and times from names that look like them.
struct NameRules {
  let grammar: Grammar

  var reader: DateReader { grammar.reader }
  var words: [Word] { grammar.words }

  /// Whether a day without a word before it is a name.
  ///
  /// - Parameter isAdjacent: whether it follows another day or time.
  func isName(_ day: DayMatch, _ position: Int, isAdjacent: Bool) -> Bool {
    // `Buch Heute hat die Welt Geburtstag`
    if position > 0, words[position - 1].trailing.isEmpty, reader.vocabulary.capitalDays == .asNouns,
      reader.relative(position)?.end == day.end, words[position].beginsUppercase, !words[position].isAllUppercase,
      !isAdjacent, !grammar.isBoundary(day.end)
    {
      return true
    }
    // `install Tomorrow app`
    if position > 0, reader.vocabulary.capitalDays == .always, reader.relative(position)?.end == day.end, !isAdjacent,
      words[position].beginsUppercase, !words[position].isAllUppercase, !grammar.isTitleCase,
      !grammar.isBoundary(day.end)
    {
      return true
    }
    if isResult(day, position) || isEvening(day, position, isAdjacent) { return true }
    // `Beethovens 9.`
    if day.isOrdinal || isNamed(day, position) || isShortWord(day, position) { return true }
    if isCorner(day, position) || isOfHoliday(day) || isSubject(day, position) { return true }
    if !isAdjacent, isObject(day, position) { return true }
    if words[position].beginsWithDigit {
      // `6:30 12/9 cafeteria`
      if isAdjacent, words[position].trailing.isEmpty, isUnlikelyFraction(words[position].key) { return false }
      return isNumberName(day, position)
    }
    if isAcronym(day, position), !isAdjacent { return reader.time(day.end)?.isBare != false }
    let isAtBoundary = grammar.isBoundary(day.end)
    // `Sun cream`, also at the beginning
    if day.weekday != nil, reader.isWord(day.end, .compound), words[day.end - 1].trailing.isEmpty { return true }
    // `sun hat`; `tomorrow` describes no other word.
    if position > 0, !isAtBoundary, !isAdjacent, reader.relative(position) == nil, !isInMinutes(day, position),
      !isPhrase(day, position)
    {
      return true
    }
    return !isAtBoundary && isCapitalized(day, position)
  }

  /// Whether a sentence is about its first word, a day of the week: `Wed is trash day`.
  private func isSubject(_ day: DayMatch, _ position: Int) -> Bool {
    position == 0 && day.weekday != nil && day.end < words.count && ["is", "was", "ist"].contains(words[day.end].key)
  }

  /// Whether a weekday belongs to a holiday later in the sentence: `Sunday lunch menu for mother's day`.
  func isOfHoliday(_ day: DayMatch) -> Bool {
    guard let weekday = day.weekday, day.end < words.count else { return false }
    return words.indices.dropFirst(day.end + 1).contains { position in
      guard words[position - 1].key == "for" else { return false }
      if weekday == 6, isDayOfParents(position) { return true }
      guard let holiday = reader.holiday(position)?.date else { return false }
      return holiday.weekday == weekday && holiday != day.date
    }
  }

  /// Whether a Sunday that no rule can tell, as it is on another date in each country, is at a position.
  private func isDayOfParents(_ position: Int) -> Bool {
    position + 1 < words.count && words[position + 1].key == "day"
      && ["mother's", "mothers", "father's", "fathers"].contains(words[position].key)
  }

  /// Whether a day is a street or a word before a noun: `4th and Main`, `year-end review`.
  func isCorner(_ day: DayMatch, _ position: Int) -> Bool {
    if words[position].key.hasSuffix("-end"), day.end == position + 1 { return !grammar.isBoundary(day.end) }
    guard position > 0, words[position].beginsWithDigit, !words[position].isNumber, day.end == position + 1,
      let next = reader.skip(day.end, .and), next < words.count
    else { return false }
    return words[next].beginsUppercase && !grammar.isDate(next)
  }

  /// Whether a duration is the time that a distance takes: `run 5 mi in 45 min`, `10 km in 50 Minuten`.
  func isResult(_ day: DayMatch, _ position: Int) -> Bool {
    guard case .minutes = day.value, position > 1, reader.skip(position, .ahead) != nil else { return false }
    let word = words[position - 1]
    let unit = word.key.drop(while: \.isNumber)
    return (word.beginsWithDigit && ["k", "km", "m", "mi"].contains(unit))
      || (words[position - 2].beginsWithDigit && reader.isWord(position - 1, .measure))
  }

  /// Whether a day is a number of minutes or hours after now: `remind me in 20 minutes that it is over`.
  func isInMinutes(_ day: DayMatch, _ position: Int) -> Bool {
    if case .minutes = day.value { reader.skip(position, .ahead) != nil } else { false }
  }

  /// Whether a day is a phrase that describes no word after it: `in zwei Wochen nachfassen`, `ask in 3 weeks whether it fits`.
  func isPhrase(_ day: DayMatch, _ position: Int) -> Bool {
    if reader.vocabulary.capitalDays == .always {
      return reader.skip(position, .ahead) != nil
        && (reader.isWord(day.end, .dangling) || reader.isWord(day.end, .topic) || reader.isWord(day.end, .pronoun))
    }
    return day.weekday == nil && day.end - position > 1 && !words[position].beginsWithDigit
      || [.next, .this, .coming, .afterNext].contains { reader.skip(position, $0) != nil }
  }

  /// Whether a day is part of `friday the 13th`, which is not a date.
  func isUnluckyDay(_ day: DayMatch, _ position: Int) -> Bool {
    guard day.end - position < 3 else { return false }
    let neighbors = words[max(0, position - 2)..<min(words.count, day.end + 2)].map(\.key)
    guard neighbors.contains(where: { $0.hasPrefix("13") }) else { return false }
    let text = neighbors.joined(separator: " ")
    return text.contains("friday the 13th") || text.contains("freitag der 13")
  }

  /// Whether a capital letter, or the word before it, makes a name of a day.
  func isNamed(_ day: DayMatch, _ position: Int) -> Bool {
    if isUnluckyDay(day, position) || isHomograph(day, position) || isShop(day, position) { return true }
    guard position > 0 else { return false }
    if isByAuthor(day, position) { return true }
    // `Rebecca Black tomorrow`
    let isRelative = reader.vocabulary.capitalDays == .always && day.weekday == nil && words[position].isLowercase
    if reader.isWord(position - 1, .naming), !isRelative { return true }
    guard words[position..<day.end].contains(where: { $0.beginsUppercase && !$0.isAllUppercase }) else { return false }
    switch reader.vocabulary.capitalDays {
    case .always: return isWork(day, position)
    case .asNouns: return false
    case .never: return true
    }
  }

  /// Whether a day belongs to the name of a work or an organization: `Watch Any Given Sunday`, `USA Today`, `Born on the Fourth
  /// of July`.
  func isWork(_ day: DayMatch, _ position: Int) -> Bool {
    let (word, previous) = (words[position], words[position - 1])
    // `Listen to November Rain, Dec 5`
    let isDate =
      position > 1 && words[position..<day.end].contains(where: \.beginsWithDigit)
      || (!previous.trailing.isEmpty && previous.key != word.key) || !word.leading.isEmpty
    let isObjectOfWork = !isDate && (reader.isWord(0, .work) || isAfterWorkNoun(position))
    if isObjectOfWork, previous.beginsUppercase, word.beginsUppercase { return true }
    if grammar.isTitleCase { return false }
    if previous.isAllUppercase, previous.core.count > 2, word.beginsUppercase, reader.relative(position) != nil {
      return !reader.isKnown(position - 1)
    }
    if day.end - position > 1, word.key == "the", words[position..<day.end].allSatisfy(\.beginsUppercase) {
      return true
    }
    if word.beginsUppercase, reader.take(position, { if case .ordinal = $0 { true } else { nil } }) != nil {
      return true
    }
    return isObjectOfWork && day.end < words.count && words[day.end].beginsUppercase
  }

  /// Whether a day of the week is a work by someone: `reread Friday by Robert Heinlein`.
  func isByAuthor(_ day: DayMatch, _ position: Int) -> Bool {
    guard day.weekday != nil, words[position].beginsUppercase, words[day.end - 1].trailing.isEmpty,
      day.end + 1 < words.count, ["by", "von"].contains(words[day.end].key), !grammar.isTitleCase
    else { return false }
    return words[day.end + 1].beginsUppercase && !grammar.isDate(day.end + 1)
  }

  /// Whether a day of the week and a part of it describe a word: `get Friday night takeaway menu`.
  func isEvening(_ day: DayMatch, _ position: Int, _ isAdjacent: Bool) -> Bool {
    guard position > 0, !isAdjacent, day.weekday != nil, words[day.end - 1].trailing.isEmpty,
      reader.vocabulary.capitalDays == .always, let part = reader.part(day.end), part.end == day.end + 1
    else { return false }
    return !grammar.isBoundary(part.end)
  }

  /// Whether only words with capital letters are between a position and a noun such as `album`.
  func isAfterWorkNoun(_ position: Int) -> Bool {
    var position = position - 1
    while position > 0, words[position].beginsUppercase { position -= 1 }
    return reader.isWord(words[position].key == "of" ? position - 1 : position, .workNoun)
  }

  /// Whether a day with a capital letter is before another word with one: `Saturday Night Fever`.
  func isCapitalized(_ day: DayMatch, _ position: Int) -> Bool {
    // `Fri Water the plants`
    if position == 0, day.weekday != nil, words[0].core.count < 6, !["sun", "sat", "wed"].contains(words[0].key),
      reader.vocabulary.capitalDays == .always
    {
      return false
    }
    return isBeforeCapital(day, position)
  }

  func isBeforeCapital(_ day: DayMatch, _ position: Int) -> Bool {
    reader.vocabulary.capitalDays != .asNouns && words[position].beginsUppercase && day.end < words.count
      && !grammar.isUppercase
      && words[day.end - 1].trailing.isEmpty && words[day.end].beginsUppercase
      && (position > 0 || (day.weekday != nil && day.end == 1))
  }

  /// Whether a day of the week in two letters is another word: `So ein Regal`, `Fr. Meier`.
  func isShortWord(_ day: DayMatch, _ position: Int) -> Bool {
    let word = words[position]
    guard word.key.count == 2, day.weekday != nil, day.end == position + 1 else { return false }
    let next = reader.skip(day.end, .and) ?? day.end
    if reader.weekday(next).map({ $0.value != day.weekday }) == true { return false }
    let previous = position > 1 && reader.skip(position - 1, .and) == position ? position - 2 : position - 1
    if let weekday = reader.weekday(previous), weekday.value != day.weekday { return false }
    if reader.adverb(day.end) != nil || reader.part(day.end) != nil { return false }
    if isShortDayOfTime(day, position) { return false }
    // `Fr: Rad reparieren`
    if position == 0,
      word.trailing == ":" || word.trailing.isEmpty && day.end < words.count && words[day.end].isPunctuation
    {
      return false
    }
    if grammar.rangeOfHours(day.end) != nil { return false }
    let isBeforeTime = reader.time(day.end).map { !$0.isBare || grammar.isBoundary($0.end) } == true
    if isBeforeTime, word.trailing.allSatisfy({ ",.".contains($0) }) { return false }
    if day.end == words.count, position > 0 { return false }
    return position == 0 || !word.trailing.isEmpty || !grammar.isBoundary(day.end)
  }

  /// Whether a day of the week in two letters begins a sentence that has a time and no other day: `Mo Zahnarzt 9 Uhr`.
  func isShortDayOfTime(_ day: DayMatch, _ position: Int) -> Bool {
    guard beginsShortly(day, position) else { return false }
    // `So geht das um 10 Uhr`
    if ["so", "do"].contains(words[position].key), !words[day.end].beginsUppercase { return false }
    let rest = words.indices.dropFirst(2)
    return rest.contains { reader.time($0)?.isBare == false || timeAfter($0) != nil }
      && !rest.contains { reader.day($0)?.isExplicit == true }
  }

  /// Whether a day of the week in two letters begins a sentence, and a word that may be a noun is after it.
  func beginsShortly(_ day: DayMatch, _ position: Int) -> Bool {
    position == 0 && day.weekday != nil && day.end == 1 && words.count > 1 && words[0].core.count == 2
      && words[0].trailing.isEmpty && words[1].core.first?.isLetter == true && !reader.isWord(1, .dangling)
      && !reader.isWord(1, .pronoun) && !reader.isKnown(1)
  }

  /// Whether a day is the object of the word before it: `listen to yesterday`. A day in the past is none. After a pronoun,
  /// only a short word is none: `who sat`, not `return it tomorrow`.
  func isObject(_ day: DayMatch, _ position: Int) -> Bool {
    guard position > 0, words[position - 1].trailing.isEmpty, words[position].leading.isEmpty else { return false }
    // `4 to 11 March`
    if position > 1, words[position - 2].beginsWithDigit {
      if reader.skip(position - 1, .through) == position { return false }
      // `les 24 et 25 décembre`
      if reader.skip(position - 1, .and) == position, grammar.isNumberOfDay(position - 2) { return false }
    }
    // `lunch with May fri`
    let isMay =
      words[position - 1].key == "may"
      && (words[position - 1].beginsUppercase || reader.isWord(position - 2, .dangling))
    if reader.isWord(position - 1, .pronoun), words[position].core.count <= 3, position == 1 || !isMay { return true }
    let isPast = day.date.map { $0 < reader.today } == true && words[position].isLowercase
    // `see if Tuesday works`
    if day.weekday != nil, isAfterIf(position) { return true }
    return reader.isWord(position - 1, .dangling) && !isPast
  }

  func isAfterIf(_ position: Int) -> Bool {
    position > 0 && ["if", "whether", "ob", "si", "se"].contains(words[position - 1].key)
  }

  /// Whether a day in three capital letters is among words that have lower case ones: `SAT`.
  func isAcronym(_ day: DayMatch, _ position: Int) -> Bool {
    reader.weekday(position) != nil && words[position].core.count == 3 && words[position].isAllUppercase
      && !grammar.isUppercase
      && (position > 0 || ["sat", "sun"].contains(words[position].key))
  }
}
