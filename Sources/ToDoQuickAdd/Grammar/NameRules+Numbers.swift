import ToDoModel

extension NameRules {
  /// Whether a date in digits is a version, a rating, a fraction or an idiom: `Python 3.12`, `9/10`, `3/4 inch`, `24/7`.
  func isNumberName(_ day: DayMatch, _ position: Int, hasConnective: Bool = false) -> Bool {
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
    if !hasConnective || word.key.contains("."), !isNamedMonth, ["", "."].contains(words[position - 1].trailing),
      reader.isWord(position - 1, .numbered) || words[position - 1].isMixedCase
    {
      return true
    }
    if !hasConnective, isEndOfNumbers(position, through: position - 1) { return true }
    if day.isExplicit { return false }
    if isPairOfFractions(day, position, hasConnective) { return true }
    // `by 12/14 so it arrives`
    if hasConnective, word.key.contains("/"), words[position - 1].key == "by" || words[position - 1].key == "before",
      isUnlikelyFraction(word.key)
    {
      return false
    }
    // `below 1/4`
    if !hasConnective, reader.isWord(position - 1, .ratio), !isUnlikelyFraction(word.key) { return true }
    if !isAtBoundary || (!hasConnective && isFractionInside(day, position)) { return true }
    return !hasConnective && isRating(word.key) && words.indices.contains { reader.isWord($0, .rating) }
  }

  /// Whether a number follows a word that no date follows (`waltz in 3/4`, but `12/1 and 12/3`), or is a fraction before one
  /// (`3/4 in elbows`, but `12/1 for Ann`).
  func isFractionInside(_ day: DayMatch, _ position: Int) -> Bool {
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
  func isRating(_ key: String) -> Bool {
    let parts = key.split(separator: "/").compactMap { Int($0) }
    return parts.count == 2 && parts[0] <= parts[1] && [4, 5, 6, 7, 8, 10, 20, 100].contains(parts[1])
  }

  /// Whether a number is one of two measures: `from 3/4 to 6/8`, `farina 3/4 e semola 1/4`.
  func isPairOfFractions(_ day: DayMatch, _ position: Int, _ hasConnective: Bool) -> Bool {
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
  func isUnlikelyFraction(_ key: String) -> Bool {
    let parts = key.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2, parts[1] != 10 else { return false }
    return parts[0] > 4 || ![2, 3, 4, 5, 8].contains(parts[1])
  }

  /// Whether a number that was not read as a date is more likely one than a fraction, so that a time elsewhere may be on it:
  /// `surgery 12/9 arrive 6:45am`.
  func isUnreadDate(_ position: Int) -> Bool {
    let key = words[position].key
    return isUnlikelyFraction(key) && !isRating(key) && !reader.isWord(position - 1, .numbered)
      && !["24/7", "50/50", "80/20", "9/11", "7/11"].contains(key)
  }

  /// Whether a weekday and a part of it are a name before another word: `Tuesday Morning`, the shop, or `Friday Night Lights`.
  func isShop(_ day: DayMatch, _ position: Int) -> Bool {
    guard day.weekday != nil, position > 0, day.end < words.count - 1, reader.vocabulary.capitalDays == .always,
      words[position].beginsUppercase, words[day.end].beginsUppercase, words[position].trailing.isEmpty,
      reader.part(day.end)?.end == day.end + 1, words[day.end].trailing.isEmpty, !grammar.isTitleCase
    else { return false }
    let next = day.end + 1
    return !words[next].isMark && !grammar.isDate(next) && !words[next].text.hasPrefix("@")
      && timeAfter(next) == nil
  }

  /// Whether a day of the week is a word that needs a date or a time beside it: `jeu`, which is also a game.
  func isHomograph(_ day: DayMatch, _ position: Int) -> Bool {
    guard day.weekday != nil, day.end == position + 1, reader.isWord(position, .homograph) else { return false }
    return words[position].trailing != "." && reader.time(day.end) == nil && reader.part(day.end) == nil
      && timeAfter(day.end) == nil
  }

  func timeAfter(_ position: Int) -> Piece? {
    position < words.count ? grammar.timeWithConnective(position, isAdjacent: true) : nil
  }
}
