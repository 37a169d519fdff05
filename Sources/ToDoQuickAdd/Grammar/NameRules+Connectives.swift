import ToDoModel

extension NameRules {
  /// Whether a day after a word such as `on`, which is at `connective`, is a day.
  func isDay(_ day: DayMatch, _ position: Int, after connective: Int) -> Bool {
    if isOther(day, position, after: connective) { return false }
    if beginsWithDay(day, position, after: connective) { return true }
    // `im 3. Stock`, `zum 2. Mal`
    let key = words[connective].key
    if day.isOrdinal, key == "im" || !grammar.isBoundary(day.end, ignoringPunctuation: true) { return false }
    // `chicken for Thursday dinner`, `tickets to the December 5 game`, `the store is Sunday only`
    let isBeforeNoun = ["for", "the", "after", "before", "is", "are", "ist", "est", "es", "è"].contains(key)
    // `an essay on the Tuesday revolution`
    let isAfterArticle = words[position - 1].key == "the" && day.weekday != nil
    let describesWord = connective > 0 && (isBeforeNoun || isAfterArticle)
    if describesWord, !grammar.isBoundary(day.end) || isEvening(day, position, false) { return false }
    // `Müll ist morgen dran`
    if ["is", "are", "ist"].contains(key), day.end < words.count, day.isOrdinal || words[day.end - 1].trailing.isEmpty,
      grammar.isInfinitive(day.end) || !grammar.isDate(day.end) && timeAfter(day.end) == nil
    {
      return false
    }
    // `photos from Saturday`, `thank Lee for Saturday`
    if isOrigin(connective) { return false }
    // `for SAT`
    if reader.weekday(position) != nil, words[position].isAllUppercase, !grammar.isUppercase { return false }
    // `tickets for Sunday in the Park`
    if words[position].beginsUppercase, reader.isWord(connective - 1, .admission), !grammar.isTitleCase { return false }
    // `Log on tomorrow`
    // `put washing on tonight`
    if key == "on", day.part != nil, day.weekday == nil { return false }
    if key == "on", let days = reader.relative(position), days.value >= 0 { return false }
    if isNamed(day, position) { return false }
    if words[position].beginsWithDigit { return !isNumberName(day, position, hasConnective: true) }
    return grammar.isBoundary(day.end) || !isCapitalized(day, position)
  }

  /// Whether what follows a word such as `on` is not a day of its own: `von der Freitag`, `Kapitel 2.4 bis 2.6`, `for 3 hours`.
  func isOther(_ day: DayMatch, _ position: Int, after connective: Int) -> Bool {
    let key = words[connective].key
    // `von der Freitag`
    if day.weekday != nil, reader.isWord(connective - 1, .dangling), words[connective - 1].trailing.isEmpty,
      reader.skip(connective - 1, .beforeDay) == nil
    {
      return true
    }
    if day.weekday != nil, isAfterIf(connective) { return true }
    if isEndOfNumbers(position, through: connective) { return true }
    // `seit 1.11.`, whose next occurrence is in a year
    if key == "seit", !day.hasYear, words[position].beginsWithDigit { return true }
    if isNounAfterArticle(day, position, article: key) { return true }
    // `for 3 hours`
    if case .minutes = day.value, words[position].beginsWithDigit { return true }
    // `rent a car for a week friday`
    return key == "for" && reader.duration(position) != nil
  }

  /// Whether a sentence begins with a word such as `on` and a day, so that another sentence is after it: `On the 5th mow the lawn`.
  func beginsWithDay(_ day: DayMatch, _ position: Int, after connective: Int) -> Bool {
    guard connective == 0, day.end < words.count,
      ["on", "on the", "by", "am", "le", "el", "il"].contains(words[0].key),
      !isNamed(day, position), !reader.isWord(day.end, .numbered), !reader.isWord(day.end, .street)
    else { return false }
    if words[0].key != "am", day.isOrdinal { return false }
    return !["day", "hole", "try", "attempt", "birthday", "anniversary", "week", "time", "hour", "tag", "mal"].contains(
      words[day.end].key)
  }

  /// Whether a number is the last one of chapters, versions and the like: `Kapitel 2.4 bis 2.6`, but not `Raum 3.1 bis 4.12.`
  func isEndOfNumbers(_ position: Int, through: Int) -> Bool {
    guard through > 1, words[position].beginsWithDigit, words[through - 1].beginsWithDigit,
      (reader.skip(through, .through) ?? reader.skip(through, .and)) == position,
      words[position].trailing.hasPrefix(".") == words[through - 1].trailing.hasPrefix(".")
    else { return false }
    // `sala 12 alle 10`, `salle 8 à 10h`
    if words[position].key.hasSuffix("h") { return false }
    if let first = Int(words[through - 1].key), let last = Int(words[position].key), last <= first { return false }
    return reader.isWord(through - 2, .numbered)
  }

  /// Whether a day after an article is not a day: `the sun`, `den Morgen`, `la mer`, `Ludwig der 14.`
  func isNounAfterArticle(_ day: DayMatch, _ position: Int, article: String) -> Bool {
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
  func isOrigin(_ connective: Int) -> Bool {
    switch words[connective].key {
    case "from", "vom", "von", "du", "del", "dal", "di": reader.isWord(connective - 1, .writing)
    case "for", "für", "pour", "por", "per": connective > 0 && words.indices.contains { reader.isWord($0, .thanks) }
    default: false
    }
  }
}
