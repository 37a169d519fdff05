import ToDoModel

/// Tells days and times from names that look like them.
struct NameRules {
  let grammar: Grammar

  private var reader: DateReader { grammar.reader }
  private var words: [Word] { grammar.words }

  // MARK: Days

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
    if isResult(day, position) { return true }
    // `Beethovens 9.`
    if day.isOrdinal || isNamed(day, position) || isShortWord(day, position) { return true }
    if !isAdjacent, isObject(day, position) { return true }
    if words[position].beginsWithDigit { return isNumberName(day, position) }
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

  /// Whether a duration is what a distance takes: `run 5 mi in 45 min`, `10 km in 50 Minuten`.
  private func isResult(_ day: DayMatch, _ position: Int) -> Bool {
    guard case .minutes = day.value, position > 1, reader.skip(position, .ahead) != nil else { return false }
    let word = words[position - 1]
    let unit = word.key.drop(while: \.isNumber)
    return (word.beginsWithDigit && ["k", "km", "m", "mi"].contains(unit))
      || (words[position - 2].beginsWithDigit && reader.isWord(position - 1, .measure))
  }

  /// Whether a day is a number of minutes or hours after now: `remind me in 20 minutes that it is over`.
  private func isInMinutes(_ day: DayMatch, _ position: Int) -> Bool {
    if case .minutes = day.value { reader.skip(position, .ahead) != nil } else { false }
  }

  /// Whether a day is a phrase that describes no word after it: `in zwei Wochen nachfassen`, `ask in 3 weeks whether it fits`.
  private func isPhrase(_ day: DayMatch, _ position: Int) -> Bool {
    if reader.vocabulary.capitalDays == .always {
      return reader.skip(position, .ahead) != nil
        && (reader.isWord(day.end, .dangling) || reader.isWord(day.end, .topic) || reader.isWord(day.end, .pronoun))
    }
    return day.weekday == nil && day.end - position > 1 && !words[position].beginsWithDigit
      || [.next, .this, .coming, .afterNext].contains { reader.skip(position, $0) != nil }
  }

  /// Whether a day after a word such as `on`, which is at `connective`, is a day.
  func isDay(_ day: DayMatch, _ position: Int, after connective: Int) -> Bool {
    // `von der Freitag`
    if day.weekday != nil, reader.isWord(connective - 1, .dangling), words[connective - 1].trailing.isEmpty,
      reader.skip(connective - 1, .beforeDay) == nil
    {
      return false
    }
    if day.weekday != nil, isAfterIf(connective) { return false }
    if isEndOfNumbers(position, through: connective) { return false }
    let key = words[connective].key
    // `seit 1.11.`, of which the next one is in a year
    if key == "seit", !day.hasYear, words[position].beginsWithDigit { return false }
    if isNounAfterArticle(day, position, article: key) { return false }
    // `im 3. Stock`, `zum 2. Mal`
    if day.isOrdinal, key == "im" || !grammar.isBoundary(day.end, ignoringPunctuation: true) { return false }
    // `for 3 hours`
    if case .minutes = day.value, words[position].beginsWithDigit { return false }
    // `rent a car for a week friday`
    if key == "for", reader.duration(position) != nil { return false }
    // `chicken for Thursday dinner`, `tickets to the December 5 game`, `the store is Sunday only`
    let isBeforeNoun = ["for", "the", "after", "before", "is", "are", "ist", "est", "es", "è"].contains(key)
    let describesWord = connective > 0 && isBeforeNoun
    if describesWord, !grammar.isBoundary(day.end) { return false }
    // `Müll ist morgen dran`
    if ["is", "are", "ist"].contains(key), day.end < words.count, day.isOrdinal || words[day.end - 1].trailing.isEmpty,
      grammar.isInfinitive(day.end) || !grammar.isDate(day.end) && timeAfter(day.end) == nil
    {
      return false
    }
    // `photos from Saturday`, `thank Lee for Saturday`
    if isOrigin(connective) { return false }
    // `for SAT`
    if day.weekday != nil, words[position].isAllUppercase, !grammar.isUppercase { return false }
    // `tickets for Sunday in the Park`
    if words[position].beginsUppercase, reader.isWord(connective - 1, .admission), !grammar.isTitleCase { return false }
    // `Log on tomorrow`
    if key == "on", let days = reader.relative(position), days.value >= 0 { return false }
    if isNamed(day, position) { return false }
    if words[position].beginsWithDigit { return !isNumberName(day, position, hasConnective: true) }
    return grammar.isBoundary(day.end) || !isCapitalized(day, position)
  }

  /// Whether a number is the last one of chapters, versions and the like: `Kapitel 2.4 bis 2.6`, but not `Raum 3.1 bis 4.12.`
  func isEndOfNumbers(_ position: Int, through: Int) -> Bool {
    guard through > 1, words[position].beginsWithDigit, words[through - 1].beginsWithDigit,
      (reader.skip(through, .through) ?? reader.skip(through, .and)) == position,
      words[position].trailing.hasPrefix(".") == words[through - 1].trailing.hasPrefix(".")
    else { return false }
    return reader.isWord(through - 2, .numbered)
  }

  /// Whether a day after an article is no day: `the sun`, `den Morgen`, `la mer`, `Ludwig der 14.`
  private func isNounAfterArticle(_ day: DayMatch, _ position: Int, article: String) -> Bool {
    let word = words[position]
    switch article {
    case "the":
      // `the tomorrow button`
      if reader.relative(position)?.end == day.end { return true }
      return !word.beginsWithDigit && (day.isSpan || day.weekday != nil) && words[day.end - 1].key != "next"
    case "der" where day.isOrdinal: return true
    case "der", "den", "dem": return word.beginsUppercase && reader.relative(position)?.end == day.end
    // `la domenica` is one.
    case "la": return day.weekday.map { $0 < 6 } == true && reader.vocabulary.capitalDays == .never
    default: return false
    }
  }

  /// Whether a word such as `from` says where something comes from, or what for someone is thanked.
  private func isOrigin(_ connective: Int) -> Bool {
    switch words[connective].key {
    case "from", "vom", "von", "du", "del", "dal", "di": reader.isWord(connective - 1, .writing)
    case "for", "für", "pour", "por", "per": connective > 0 && words.indices.contains { reader.isWord($0, .thanks) }
    default: false
    }
  }

  /// Whether a day is one of `friday the 13th`, which are no day together.
  private func isUnluckyDay(_ day: DayMatch, _ position: Int) -> Bool {
    guard day.end - position < 3 else { return false }
    let neighbors = words[max(0, position - 2)..<min(words.count, day.end + 2)].map(\.key)
    guard neighbors.contains(where: { $0.hasPrefix("13") }) else { return false }
    let text = neighbors.joined(separator: " ")
    return text.contains("friday the 13th") || text.contains("freitag der 13")
  }

  /// Whether a capital letter, or the word before it, makes a name of a day.
  private func isNamed(_ day: DayMatch, _ position: Int) -> Bool {
    if isUnluckyDay(day, position) || isHomograph(day, position) || isShop(day, position) { return true }
    guard position > 0 else { return false }
    if reader.isWord(position - 1, .naming) { return true }
    guard words[position..<day.end].contains(where: { $0.beginsUppercase && !$0.isAllUppercase }) else { return false }
    switch reader.vocabulary.capitalDays {
    case .always: return isWork(day, position)
    case .asNouns: return false
    case .never: return true
    }
  }

  /// Whether a day belongs to the name of a work or an organization: `Watch Any Given Sunday`, `USA Today`, `Born on the Fourth
  /// of July`.
  private func isWork(_ day: DayMatch, _ position: Int) -> Bool {
    let (word, previous) = (words[position], words[position - 1])
    let isObjectOfWork = reader.isWord(0, .work) || isAfterWorkNoun(position)
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

  /// Whether only words with capital letters are between a position and a noun such as `album`.
  private func isAfterWorkNoun(_ position: Int) -> Bool {
    var position = position - 1
    while position > 0, words[position].beginsUppercase { position -= 1 }
    return reader.isWord(words[position].key == "of" ? position - 1 : position, .workNoun)
  }

  /// Whether a day with a capital letter is before another word with one: `Saturday Night Fever`.
  private func isCapitalized(_ day: DayMatch, _ position: Int) -> Bool {
    reader.vocabulary.capitalDays != .asNouns && words[position].beginsUppercase && day.end < words.count
      && !grammar.isUppercase
      && words[day.end - 1].trailing.isEmpty && words[day.end].beginsUppercase && (position > 0 || day.weekday != nil)
  }

  /// Whether a day of the week in two letters is another word: `So ein Regal`, `Fr. Meier`.
  private func isShortWord(_ day: DayMatch, _ position: Int) -> Bool {
    let word = words[position]
    guard word.key.count == 2, day.weekday != nil, day.end == position + 1 else { return false }
    let next = reader.skip(day.end, .and) ?? day.end
    if reader.weekday(next).map({ $0.value != day.weekday }) == true { return false }
    let previous = position > 1 && reader.skip(position - 1, .and) == position ? position - 2 : position - 1
    if let weekday = reader.weekday(previous), weekday.value != day.weekday { return false }
    if reader.adverb(day.end) != nil || reader.part(day.end) != nil { return false }
    if isShortDayOfTime(day, position) { return false }
    let isBeforeTime = reader.time(day.end).map { !$0.isBare || grammar.isBoundary($0.end) } == true
    if isBeforeTime, word.trailing.allSatisfy({ ",.".contains($0) }) { return false }
    if day.end == words.count, position > 0 { return false }
    return position == 0 || !word.trailing.isEmpty || !grammar.isBoundary(day.end)
  }

  /// Whether a day of the week in two letters begins a sentence that has a time and no other day: `Mo Zahnarzt 9 Uhr`.
  private func isShortDayOfTime(_ day: DayMatch, _ position: Int) -> Bool {
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
  private func isObject(_ day: DayMatch, _ position: Int) -> Bool {
    guard position > 0, words[position - 1].trailing.isEmpty else { return false }
    // `4 to 11 March`
    if position > 1, words[position - 2].beginsWithDigit {
      if reader.skip(position - 1, .through) == position { return false }
      // `les 24 et 25 décembre`
      if reader.skip(position - 1, .and) == position, grammar.isNumberOfDay(position - 2) { return false }
    }
    if reader.isWord(position - 1, .pronoun), words[position].core.count <= 3 { return true }
    let isPast = day.date.map { $0 < reader.today } == true && words[position].isLowercase
    // `see if Tuesday works`
    if day.weekday != nil, isAfterIf(position) { return true }
    return reader.isWord(position - 1, .dangling) && !isPast
  }

  private func isAfterIf(_ position: Int) -> Bool {
    position > 0 && ["if", "whether", "ob", "si", "se"].contains(words[position - 1].key)
  }

  /// Whether a day in three capital letters is among words that have lower case ones: `SAT`.
  private func isAcronym(_ day: DayMatch, _ position: Int) -> Bool {
    day.weekday != nil && words[position].core.count == 3 && words[position].isAllUppercase && !grammar.isUppercase
      && (position > 0 || ["sat", "sun"].contains(words[position].key))
  }

  // MARK: Numbers

  /// Whether a date in digits is a version, a rating, a fraction or an idiom: `Python 3.12`, `9/10`, `3/4 inch`, `24/7`.
  private func isNumberName(_ day: DayMatch, _ position: Int, hasConnective: Bool = false) -> Bool {
    let word = words[position]
    if ["24/7", "50/50", "80/20", "9/11", "7/11"].contains(word.key) { return true }

    // `Paragraf 3.2 lesen`
    let isBeforeVerb = !day.isExplicit && !hasConnective && grammar.isInfinitive(day.end)
    let isAtBoundary = grammar.isBoundary(day.end) && !isBeforeVerb
    // `14 March Lane`
    if reader.isWord(day.end, .street), words[day.end - 1].trailing.isEmpty { return true }
    // `cantare 29 settembre`
    if position == 1, day.end == words.count, !hasConnective, reader.isWord(0, .work) { return true }
    // `calle 9 de julio`
    if reader.vocabulary.capitalDays == .never, reader.isWord(position - 1, .street) { return true }
    guard position > 0 else { return !day.isExplicit && !isAtBoundary && !isUnlikelyFraction(word.key) }
    // `page 12 may be torn`, but not `table 12 dec`
    let isNamedMonth =
      word.isNumber && reader.month(position + 1) != nil && !["may", "march", "mar"].contains(words[position + 1].key)
    if !hasConnective || word.key.contains("."), !isNamedMonth,
      reader.isWord(position - 1, .numbered) || words[position - 1].isMixedCase
    {
      return true
    }
    if !hasConnective, isEndOfNumbers(position, through: position - 1) { return true }
    if day.isExplicit { return false }
    if isPairOfFractions(day, position, hasConnective) { return true }
    if !isAtBoundary || (!hasConnective && isFractionInside(day, position)) { return true }
    return !hasConnective && isRating(word.key) && words.indices.contains { reader.isWord($0, .rating) }
  }

  /// Whether a number follows a word that no date follows (`waltz in 3/4`, but `12/1 and 12/3`), or is a fraction before one (`3/4 in
  /// elbows`, but `12/1 for Ann`).
  private func isFractionInside(_ day: DayMatch, _ position: Int) -> Bool {
    guard words[position].key.contains("/") else { return false }
    func isPreposition(_ position: Int) -> Bool {
      reader.isWord(position, .preposition) && reader.skip(position, .and) == nil
    }
    // `from 8/1 to 7/31`
    let isEndOfRange =
      position > 1 && reader.skip(position - 1, .through) == position
      && words[position - 2].key.contains("/")
    if words[position - 1].trailing.isEmpty, isPreposition(position - 1), !isEndOfRange { return true }
    return !isUnlikelyFraction(words[position].key) && isPreposition(day.end) && reader.time(day.end + 1) == nil
  }

  /// Whether a number is out of 5, 10 or 20: `9/10`.
  private func isRating(_ key: String) -> Bool {
    ["4", "5", "6", "7", "8", "10", "20", "100"].contains(key.split(separator: "/").dropFirst().first ?? "")
  }

  /// Whether a number is one of two measures: `from 3/4 to 6/8`, `farina 3/4 e semola 1/4`.
  private func isPairOfFractions(_ day: DayMatch, _ position: Int, _ hasConnective: Bool) -> Bool {
    func isMeasure(_ position: Int) -> Bool {
      guard words.indices.contains(position) else { return false }
      let parts = words[position].key.split(separator: "/").compactMap { Int($0) }
      return parts.count == 2 && parts[0] < 10 && [2, 4, 8, 16].contains(parts[1])
    }
    if !hasConnective, isMeasure(position), words.indices.contains(where: { $0 != position && isMeasure($0) }) {
      return true
    }
    let isAfterOther = reader.skip(position - 1, .through) == position && isMeasure(position - 2)
    return isMeasure(position) && (isAfterOther || reader.skip(day.end, .through).map(isMeasure) == true)
  }

  /// Whether `6/12` is a date rather than a fraction.
  private func isUnlikelyFraction(_ key: String) -> Bool {
    let parts = key.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2, parts[1] != 10 else { return false }
    return parts[0] > 4 || ![2, 3, 4, 5, 8].contains(parts[1])
  }

  /// Whether a day of the week and a part of it are a name before another word: `Tuesday Morning`, the shop, or `Friday Night Lights`.
  private func isShop(_ day: DayMatch, _ position: Int) -> Bool {
    guard day.weekday != nil, position > 0, day.end < words.count - 1, reader.vocabulary.capitalDays == .always,
      words[position].beginsUppercase, words[day.end].beginsUppercase, words[position].trailing.isEmpty,
      reader.part(day.end)?.end == day.end + 1, words[day.end].trailing.isEmpty, !grammar.isTitleCase
    else { return false }
    let next = day.end + 1
    return !words[next].isMark && !grammar.isDate(next) && !words[next].text.hasPrefix("@")
      && timeAfter(next) == nil
  }

  /// Whether a day of the week is a word that needs a date or a time beside it: `jeu`, which is also a game.
  private func isHomograph(_ day: DayMatch, _ position: Int) -> Bool {
    guard day.weekday != nil, day.end == position + 1, reader.isWord(position, .homograph) else { return false }
    return words[position].trailing != "." && reader.time(day.end) == nil && reader.part(day.end) == nil
      && timeAfter(day.end) == nil
  }

  private func timeAfter(_ position: Int) -> Piece? {
    position < words.count ? grammar.timeWithConnective(position, isAdjacent: true) : nil
  }

  // MARK: Times

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

  /// Whether a time in digits is a ratio: `dilute the paint 1:10`.
  private func isRatio(_ time: TimeMatch, _ position: Int) -> Bool {
    guard words[position].key.contains(":"), time.minutes < 240, time.minutes % 15 != 0 else { return false }
    return clause(position).contains { reader.isWord($0, .ratio) }
  }

  /// Whether a time is where something is in a text or a recording: `translate the line at 4:20`.
  private func isPassage(_ time: TimeMatch, _ position: Int) -> Bool {
    position > 2 && time.isOfTwelveHours && reader.skip(position - 1, .at) == position
      && reader.isWord(position - 2, .passage) && reader.skip(position - 3, .article) != nil
      && !words.indices.contains { reader.day($0) != nil }
  }

  /// The words around a position that no punctuation parts from it.
  private func clause(_ position: Int) -> ClosedRange<Int> {
    func isEnd(_ position: Int) -> Bool { words[position].isPunctuation || !words[position].trailing.isEmpty }
    var (start, end) = (position, position)
    while start > 0, !isEnd(start - 1) { start -= 1 }
    while end < words.count - 1, !isEnd(end) { end += 1 }
    return start...end
  }

  /// Whether a word before one such as `at`, which is at `connective`, says that a number is an amount: `keep the oven at 20`, but
  /// not `budget review at 15`.
  private func isAmount(_ position: Int, before connective: Int) -> Bool {
    guard reader.isWord(position, .amount) else { return false }
    let next = position + 1
    return reader.vocabulary.capitalDays != .always || next == connective || reader.isWord(next, .dangling)
      || ["sell", "bid"].contains(words[position].key)
  }

  /// Whether a number after a word such as `at`, which is at `connective`, is no hour: `at 10 Elm Street`, `set it to 20`.
  ///
  /// - Parameter isAdjacent: whether the word follows a day.
  func isNumber(_ time: TimeMatch, _ position: Int, after connective: Int, isAdjacent: Bool) -> Bool {
    let key = words[connective].key
    if isEndOfNumbers(position, through: connective) { return true }
    if ["for", "from", "von", "de", "pour"].contains(key), connective + 1 == position { return true }
    if words[position].key == "one", key != "at" { return true }
    // `ca. 10 einladen`
    if ["ca", "circa", "zirka", "etwa", "ungefähr", "environ", "aprox", "approx", "approximately"].contains(key) {
      return true
    }
    // `Bajar el precio a 20`; an hour has an article: `a las 20`.
    if key == "a", connective + 1 == position, !isAdjacent || !words[position].key.hasSuffix("h") { return true }
    if connective > 0, words[connective - 1].isNumber, reader.skip(connective, .through) != nil {
      // `Seite 12 bis 20 lesen`, `lire les pages 10 à 24`
      if grammar.isInfinitive(time.end) || reader.isWord(connective - 2, .numbered) { return true }
      // `compter de 1 à 10`
      if connective > 1, ["de", "da", "von"].contains(words[connective - 2].key),
        !words.indices.contains(where: { reader.day($0) != nil })
      {
        return true
      }
    }
    if !isAdjacent, words[position].isNumber, time.minutes > 720,
      clause(position).prefix(while: { $0 < connective }).contains(where: { isAmount($0, before: connective) })
    {
      return true
    }
    if reader.isWord(time.end, .measure), grammar.isInfinitive(time.end) { return true }
    if grammar.isBoundary(time.end) { return false }
    return !isAdjacent || reader.isWord(time.end, .measure) || reader.isWord(time.end + 1, .street)
  }

  /// Whether a time without a word before it is a time.
  func isTime(_ time: TimeMatch, _ position: Int, after last: Piece?) -> Bool {
    if isAfterOther(time, position, last) { return true }
    let isAdjacent = position > 0 && last?.range.upperBound == position
    // `appt 11.20 Thurs`
    if time.isBare { return isHourBesideDay(time, position, after: last) || isBeforeWeekday(time, position) }
    // `Feierabend feiern`
    if words[position].key == "feierabend" { return isAdjacent }
    guard position > 0, !isAdjacent else { return true }
    return !isResult(position) && isTimeInside(time, position)
  }

  /// Whether a time is what a race took: `swim it in 5:20`, but not `check in 5:20`; `beat Ken's 21:35`.
  private func isResult(_ position: Int) -> Bool {
    let (word, previous) = (words[position], words[position - 1])
    if words[0].key == "beat" { return true }
    return word.key.contains(":") && !word.key.hasSuffix("m") && previous.key == "in" && previous.trailing.isEmpty
      && !reader.isWord(position - 2, .phrasal) && reader.half(position + 1) == nil
  }

  /// Whether a time that is neither the first word nor beside a date is a time.
  private func isTimeInside(_ time: TimeMatch, _ position: Int) -> Bool {
    let (word, previous) = (words[position], words[position - 1])
    // `under 5:30`, `5:30 pace`
    if reader.isWord(position - 1, .ratio) || isNamed(time, position) { return false }
    // `seat 12A`
    if word.beginsWithDigit, reader.isWord(position - 1, .numbered), !word.key.contains(":"), !word.isHourOfDay {
      return false
    }
    // `Watch 3:10 to Yuma`
    if position == 1, reader.isWord(0, .work), time.end < words.count, !grammar.isDate(time.end) { return false }
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
  private func isAfterOther(_ time: TimeMatch, _ position: Int, _ last: Piece?) -> Bool {
    guard let last, case .time = last.kind,
      (reader.skip(last.range.upperBound, .and) ?? reader.skip(last.range.upperBound, .through)) == position,
      words[last.range.upperBound - 1].trailing.isEmpty
    else { return false }
    return words[position].beginsWithDigit && grammar.isBoundary(time.end) && (!time.isBare || time.minutes < 1440)
  }

  /// Whether a sentence is about a time: `explain why 2:30 fails`, `support 9am and 5pm labels`.
  private func isMentioned(_ time: TimeMatch, _ position: Int) -> Bool {
    if ["why", "how", "warum", "pourquoi"].contains(words[position - 1].key) { return true }
    guard let next = reader.skip(time.end, .and), let other = reader.time(next) else { return false }
    return !other.isBare && !grammar.isBoundary(other.end)
  }

  /// Whether a number is an hour: `7 in the evening`, `mon 9`.
  private func isHourBesideDay(_ time: TimeMatch, _ position: Int, after last: Piece?) -> Bool {
    let word = words[position]
    guard position > 0 else { return false }
    // `7 in the evening`, `eight in the evening`, but not `the one in the evening`
    let isHour = word.isNumber || word.key.hasSuffix("h") || (!word.beginsWithDigit && time.minutes > 60)
    if isHour, word.trailing.isEmpty, grammar.part(time.end, isAdjacent: true)?.hasConnective == true,
      !reader.isWord(position - 1, .numbered), word.beginsWithDigit || !reader.isWord(position - 1, .dangling)
    {
      return true
    }
    guard word.beginsWithDigit else { return false }
    guard let last, last.range.upperBound == position else { return false }
    switch last.kind {
    case .day(let day): if day.date == nil || day.isSpan { return false }
    // `samedi matin 10h`
    case .part: break
    default: return false
    }
    return words[position - 1].trailing.allSatisfy { ",.".contains($0) } && grammar.isBoundary(time.end)
      && (!word.key.contains(".") || hasDottedTimes(time))
  }

  /// Whether `11.20` after an appointment and before its day is a time.
  private func isBeforeWeekday(_ time: TimeMatch, _ position: Int) -> Bool {
    words[position].key.contains(".") && time.minutes % 5 == 0 && (60..<22 * 60).contains(time.minutes)
      && reader.isWord(position - 1, .appointment) && words[time.end - 1].trailing.isEmpty
      && reader.day(time.end).map { $0.weekday != nil && grammar.isBoundary($0.end) } == true
  }

  /// Whether `9.30` after a day is a time, as where days precede months: `12 Jan 9.30`.
  private func hasDottedTimes(_ time: TimeMatch) -> Bool {
    reader.vocabulary.hasDottedDates || (!reader.isMonthFirst && time.minutes % 5 == 0)
  }

  /// Whether a position is after an hour and `to` or `and`: `2 to 4pm`.
  private func isEndOfRange(_ position: Int) -> Bool {
    guard position > 1, words[position - 2].isNumber, words[position - 2].key.count < 3 else { return false }
    return reader.skip(position - 1, .through) == position || reader.skip(position - 1, .and) == position
  }
}
