import ToDoModel

/// Finds the dates and times in a sentence.
struct Grammar {
  let reader: DateReader
  /// The words of the place, which are not read.
  let place: Range<Int>
  /// Whether the words are a repetition and nothing else, so that `weekdays` are days that repeat.
  let isRepetitionOnly: Bool

  init(reader: DateReader, place: Range<Int> = 0..<0, isRepetitionOnly: Bool = false) {
    self.reader = reader
    self.place = place
    self.isRepetitionOnly = isRepetitionOnly
  }

  var words: [Word] { reader.words }

  /// Returns the pieces in the order of the sentence.
  func pieces() -> [Piece] {
    var pieces: [Piece] = []
    var position = 0
    while position < words.count {
      if let end = quotation(position) {
        position = end
      } else if let end = reader.skip(position, .name) {
        if hasDay(position..<end) { pieces.append(Piece(kind: .mention(.event), range: position..<end)) }
        position = end
      } else if place.contains(position) || (words[position].isMark && !words[position].text.hasPrefix("+")) {
        position += 1
      } else if let piece = replaced(position, after: pieces) ?? piece(position, after: pieces).map(withTrailer) {
        pieces.append(piece)
        position = piece.range.upperBound
      } else {
        // The words of a duration are not times.
        position = max(reader.duration(position)?.end ?? 0, position + 1)
      }
    }
    return joiningRanges(pieces)
  }

  /// Reads a date that another one replaces, so that nobody knows which of them is due: `for the 2nd instead of the 4th`.
  private func replaced(_ position: Int, after pieces: [Piece]) -> Piece? {
    guard pieces.last?.isDayOrTime == true, let start = reader.skip(position, .insteadOf), start < words.count
    else { return nil }
    if let piece = piece(start, after: []), piece.isDayOrTime {
      return Piece(kind: piece.kind, range: position..<piece.range.upperBound, hasConnective: true)
    }
    let other = reader.skip(start, .article) ?? start
    if let day = reader.day(other) { return Piece(kind: .day(day), range: position..<day.end, hasConnective: true) }
    if let time = reader.time(other) {
      return Piece(kind: .time(time), range: position..<time.end, hasConnective: true)
    }
    guard other < words.count, words[other].beginsWithDigit else { return nil }
    return Piece(kind: .range([]), range: position..<other + 1)
  }

  /// Whether a name has a day, on which a time beside it may be: `Sunday brunch`, but not `sun cream`.
  private func hasDay(_ name: Range<Int>) -> Bool {
    name.contains { position in
      reader.take(position) { lexeme in
        switch lexeme {
        case .weekday: words[position].core.count > 3 ? true : nil
        case .weekdays, .month, .holiday: true
        default: nil
        }
      } != nil
    }
  }

  /// Returns the position after the words in quotes that begin at a position, as in `Rent „Freitag der 13.“`. The whole sentence is
  /// not one.
  private func quotation(_ position: Int) -> Int? {
    guard words[position].leading.contains(where: { "\"“„«".contains($0) }) else { return nil }
    let last = words[position...].firstIndex { $0.trailing.contains { "\"”“»".contains($0) } }
    return last.flatMap { position == 0 && $0 == words.count - 1 ? nil : $0 + 1 }
  }

  /// Whether what is at a position goes on with the sentence, so that a day before it does not describe it, as `sun` describes
  /// the second word of `sun hat`.
  func isBoundary(_ position: Int, ignoringPunctuation: Bool = false) -> Bool {
    guard position < words.count else { return true }
    if position > 0, !words[position - 1].trailing.isEmpty, !ignoringPunctuation { return true }
    let word = words[position]
    if word.isMark || !word.core.contains(where: { $0.isLetter || $0.isNumber }) || word.text.hasPrefix("@")
      || word.text.hasPrefix("/") || place.contains(position) || !word.leading.isEmpty
    {
      return true
    }
    if reader.isWord(position, .preposition) || isInfinitive(position) { return true }
    if reader.day(position) != nil || reader.time(position)?.isBare == false { return true }
    if let time = reader.time(position), time.isBare, word.beginsWithDigit {
      return isBoundary(time.end) || isDottedTime(time, position)
    }
    if rangeOfHours(position) != nil { return isBoundary(position + 1) }
    return reader.take(position) { lexeme in
      switch lexeme {
      case .beforeDay, .beforeTime, .part, .adverb, .through, .between, .and, .every, .everyOther, .repeats: true
      case .lasting, .ends, .insteadOf: true
      case .am, .pm: reader.vocabulary.hasTwelveHours && word.core.count > 1 ? true : nil
      default: nil
      }
    } != nil
  }

  /// Whether a number with a point is more likely a time than a measure: `9.30 start`, as where days precede months.
  private func isDottedTime(_ time: TimeMatch, _ position: Int) -> Bool {
    words[position].key.contains(".") && (240..<1440).contains(time.minutes)
      && NameRules(grammar: self).hasDottedTimes(time) && !reader.isWord(time.end, .measure)
      && time.end < words.count && words[time.end].isLowercase
  }

  /// Whether a day, a time or a part of a day is at a position.
  func isDate(_ position: Int) -> Bool {
    reader.day(position) != nil || reader.time(position)?.isBare == false || reader.part(position) != nil
      || reader.skip(position, .on) != nil
  }

  /// Whether a word is a German verb after what it is about: `Miete am 1. zahlen`.
  func isInfinitive(_ position: Int) -> Bool {
    guard position < words.count else { return false }
    let word = words[position]
    guard reader.vocabulary.capitalDays == .asNouns, word.isLowercase, word.key.hasSuffix("n"), word.core.count > 3,
      word.core.allSatisfy(\.isLetter)
    else { return false }
    let next = position + 1
    return next == words.count || !word.trailing.isEmpty || words[next].isMark || words[next].text.hasPrefix("@")
      || reader.skip(next, .and) != nil || words[next].key == "lassen"
  }

  // MARK: One piece

  /// Returns a piece with the words after it that say no more: `by friday at the latest`.
  private func withTrailer(_ piece: Piece) -> Piece {
    let end = piece.range.upperBound
    switch piece.kind {
    case .day, .time, .part: break
    case .repetition, .end, .season, .unrepeatable, .range, .mention, .unread: return piece
    }
    guard let trailer = reader.skip(end, .trailer), words[end - 1].trailing.allSatisfy({ $0 == "," }),
      isBoundary(trailer)
    else { return piece }
    return Piece(kind: piece.kind, range: piece.range.lowerBound..<trailer, hasConnective: piece.hasConnective)
  }

  private func piece(_ position: Int, after pieces: [Piece]) -> Piece? {
    // One expression would take the compiler too long.
    if let piece = repetition(position) ?? season(position, after: pieces.last) { return piece }
    if let piece = repetitionAfterDay(position, pieces.last) ?? countBeforeWeekdays(position) { return piece }
    if let piece = repetitionEnd(position, after: pieces) ?? unread(position) { return piece }
    if let piece = compactRange(position) ?? rangeInWords(position) { return piece }
    if let piece = hoursAfterDay(position, pieces.last) ?? hoursBeforeDay(position) { return piece }
    if let piece = zonedTime(position) ?? monthOfYear(position) { return piece }
    if reader.relative(position) == nil, position == 0 || !words[position].beginsUppercase,
      let day = reader.dayBesideDay(position)
    {
      return Piece(kind: .day(day), range: position..<day.end, hasConnective: true)
    }
    return dayOrTime(position, after: pieces)
  }

  /// Reads a day, a time, or a part of a day.
  private func dayOrTime(_ position: Int, after pieces: [Piece]) -> Piece? {
    let last = pieces.last
    let isAdjacent = last?.range.upperBound == position
    let isListed = isAdjacent || isAfterAnd(position, last)
    let isAfterDay = isAdjacent && (isContiguous(pieces) || last?.hasConnective == true)
    let part = part(position, isAdjacent: isListed, isAfterDay: isAfterDay)
    // `Montag Morgen`
    if let part, isAdjacent, case .day(let day)? = last?.kind, day.weekday != nil, words[position].text == "Morgen" {
      return part
    }
    // `a primera hora de mañana` is a day.
    if let part, part.hasConnective, reader.day(position).map({ $0.end <= part.range.upperBound }) != false {
      return part
    }
    if let holiday = holiday(position, after: last) { return holiday }
    // If both are equally long, the day counts: `bis 12.12.`
    let withConnective = [dayWithConnective(position), timeWithConnective(position, isAdjacent: isAdjacent)]
    if let longest = withConnective.compactMap(\.self).reduce(nil, Self.longer) { return longest }
    let rules = NameRules(grammar: self)
    let time = reader.time(position)
    if let day = reader.day(position), !rules.isName(day, position, isAdjacent: isListed) {
      if let time, !time.isBare, time.end >= day.end { return Piece(kind: .time(time), range: position..<time.end) }
      return Piece(kind: .day(day), range: position..<day.end)
    }
    if let part { return part }
    guard let time, rules.isTime(time, position, after: last) else {
      return mention(position, isAfterTime: isAdjacent && last?.isTime == true)
    }
    return Piece(kind: .time(time), range: position..<time.end)
  }

  private static func longer(_ first: Piece?, _ second: Piece) -> Piece? {
    guard let first, first.range.upperBound >= second.range.upperBound else { return second }
    return first
  }

  /// Whether pieces are the beginning of the sentence without a gap.
  private func isContiguous(_ pieces: [Piece]) -> Bool {
    pieces.first?.range.lowerBound == 0
      && zip(pieces, pieces.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound }
  }

  /// Whether a position is after a piece and `and`, `or` or `to`.
  private func isAfterAnd(_ position: Int, _ last: Piece?) -> Bool {
    guard let last, last.range.upperBound == position - 1 else { return false }
    return reader.skip(position - 1, .and) == position || reader.skip(position - 1, .through) == position
  }

  // MARK: With a word before it

  /// Returns the position after a word such as `on` or `at`.
  func connective(_ position: Int, _ lexeme: Lexeme) -> Int? {
    guard position < words.count else { return nil }
    let word = words[position]
    guard
      word.trailing.isEmpty || word.isPunctuation || (word.trailing == ":" && word.key == "due")
        || (word.trailing == "." && ["ca", "aprox", "approx"].contains(word.key))
    else { return nil }
    // `Der Freitag` and `Il sabato` are names.
    if position > 0, word.beginsUppercase, !word.isAllUppercase, !isTitleCase || reader.isWord(0, .work) { return nil }
    // `Der Freitag` is a newspaper.
    if word.text == "Der" { return nil }
    return reader.skip(position, lexeme)
  }

  func timeWithConnective(_ position: Int, isAdjacent: Bool) -> Piece? {
    if words[position].text.hasPrefix("@"), words[position].text.count > 1 { return timeAfterAt(position) }
    guard let start = connective(position, .beforeTime), start < words.count,
      ["", "."].contains(words[start - 1].trailing),
      let time = reader.time(start)
    else { return nil }
    if let zoned = zonedTime(start) { return Piece(kind: zoned.kind, range: position..<zoned.range.upperBound) }
    let rules = NameRules(grammar: self)
    if rules.isNamed(time, start) || rules.isOrigin(time, after: position) { return nil }
    if time.isBare, rules.isNumber(time, start, after: position, isAdjacent: isAdjacent) { return nil }
    // `billets pour le spectacle de 19h30`
    if hasSmallDays, ["de", "delle", "della"].contains(words[position].key),
      words[..<position].indices.contains(where: { reader.isWord($0, .admission) })
    {
      return nil
    }
    // `film de 2h15`, `fast for 16h`
    if words[position].key == "de", time.minutes < 300 { return nil }
    if words[position].key == "for", words[start].key.hasSuffix("h") { return nil }
    // `à 9h`, `à 20 heures`, `avant 11h`
    let isAfterAt =
      reader.skip(position, .at) == start
      || (hasSmallDays && !["pour", "d'ici", "de", "para", "per"].contains(words[position].key)
        && (isAdjacent || words[position].key != "a"))
    let isHourAfterAt =
      isAfterAt
      && (words[start].key.hasSuffix("h") || reader.skip(start + 1, .oClock) != nil)
    if let duration = reader.duration(start), duration.end >= time.end, !isHourAfterAt, !words[start].isHourOfDay {
      return nil
    }
    return Piece(kind: .time(time), range: position..<time.end, hasConnective: true)
  }

  /// The number of words after the first one that a date may have.
  private static let wordsOfDate = 8

  /// Reads `@17:00`, `@noon`, `@tomorrow`, `@5pm`.
  private func timeAfterAt(_ position: Int) -> Piece? {
    let word = Word(words[position].text.dropFirst())
    let reader = reader.reading([word] + words[(position + 1)...].prefix(Self.wordsOfDate))
    if let time = reader.time(0), !time.isBare {
      return Piece(kind: .time(time), range: position..<position + time.end, hasConnective: true)
    }
    // `@10`
    if let time = reader.time(0), word.isNumber, word.key.utf8.count < 3, time.end == 1, isBoundary(position + 1) {
      return Piece(kind: .time(time), range: position..<position + 1, hasConnective: true)
    }
    guard let day = reader.day(0), day.isExplicit, day.weekday == nil || !word.beginsUppercase else { return nil }
    return Piece(kind: .day(day), range: position..<position + day.end, hasConnective: true)
  }

  func dayWithConnective(_ position: Int) -> Piece? {
    if let month = monthWithConnective(position) ?? spanWithConnective(position) { return month }
    // `l'8`
    if !words[position].beginsText, words[position].isNumber, let day = dayOfMonthAtEnd(position) {
      return Piece(kind: .day(day), range: position..<day.end, hasConnective: true)
    }
    guard var start = connective(position, .beforeDay) else { return nil }
    if reader.day(start) == nil, let more = connective(start, .beforeDay) { start = more }
    guard start < words.count, ["", ":"].contains(words[start - 1].trailing) || words[start - 1].isPunctuation,
      let day = reader.day(start) ?? dayOfMonthAtEnd(start),
      NameRules(grammar: self).isDay(day, start, after: position)
    else { return nil }
    return Piece(kind: .day(day), range: position..<day.end, hasConnective: true)
  }

  /// Reads a time in another zone, which is not a local time: `3pm PST`.
  private func zonedTime(_ position: Int) -> Piece? {
    guard let time = reader.time(position), !time.isBare, time.end < words.count,
      words[time.end].isAllUppercase || reader.vocabulary.capitalDays == .always,
      words[time.end - 1].trailing.isEmpty, reader.isWord(time.end, .zone)
    else { return nil }
    let text = words[position...time.end].map(\.core).joined(separator: " ")
    return Piece(kind: .unread(text), range: position..<time.end + 1)
  }

  // MARK: Without one

  /// Reads a part of a day beside a day or a time (`fri morning`), or alone if it says so itself (`in the morning`, `abends`).
  ///
  /// - Parameter isAfterDay: whether it follows a day that needs it, so that the sentence can go on.
  func part(_ position: Int, isAdjacent: Bool, isAfterDay: Bool = false) -> Piece? {
    if let match = reader.adverb(position) {
      return Piece(kind: .part(match.value), range: position..<match.end, hasConnective: true)
    }
    if let half = halfOfDay(position, isAdjacent: isAdjacent) { return half }
    guard let match = reader.part(position) else { return nil }
    if words[position].text == "Eve" { return nil }
    let isPhrase = match.end - position > 1
    // `37,2 le matin`
    if !isAdjacent, hasSmallDays, position > 0, words[position - 1].isFraction { return nil }
    guard isAdjacent || isPhrase, isBoundary(match.end) || isAfterDay else { return nil }
    let isCapitalized = words[position..<match.end].contains(where: \.beginsUppercase)
    if !isAdjacent, position > 0, words[position].beginsUppercase || isCapitalized && hasSmallDays { return nil }
    // `robe du soir`, `abito da sera`
    if !isAdjacent, hasSmallDays, reader.skip(position, .of) != nil { return nil }
    return Piece(kind: .part(match.value), range: position..<match.end, hasConnective: isPhrase)
  }

  /// Whether days have no capital letters, so that a capital letter makes a name.
  private var hasSmallDays: Bool { reader.vocabulary.capitalDays == .never }

  /// Reads `am` or `pm` after a day: `wed am`.
  private func halfOfDay(_ position: Int, isAdjacent: Bool) -> Piece? {
    guard isAdjacent, reader.vocabulary.hasTwelveHours, position < words.count, words[position].key.count > 1,
      isBoundary(position + 1)
    else { return nil }
    let part: Part? =
      reader.skip(position, .am) != nil ? .morning : reader.skip(position, .pm) != nil ? .afternoon : nil
    return part.map { Piece(kind: .part($0), range: position..<position + 1) }
  }

  /// Reads a day of the week in lower case, or a time, that describes another word.
  private func mention(_ position: Int, isAfterTime: Bool) -> Piece? {
    let word = words[position]
    // `do training 19 Uhr`
    if let day = reader.day(position), NameRules(grammar: self).beginsShortly(day, position) {
      return Piece(kind: .mention(.event), range: position..<day.end)
    }
    // `see if Tuesday at 2 works`
    if position > 0, let day = reader.day(position), day.weekday != nil, !reader.isWord(position - 1, .naming),
      !hasSmallDays || !word.beginsUppercase,
      day.end < words.count, timeWithConnective(day.end, isAdjacent: true) != nil
    {
      return Piece(kind: .mention(.event), range: position..<day.end)
    }
    // `den Termin am Freitag auf Montag verschieben`
    if position > 0, words[position - 1].key == "auf", let day = reader.day(position), day.weekday != nil {
      return Piece(kind: .mention(.day), range: position..<day.end)
    }
    if let day = weekdayInside(position) { return Piece(kind: .mention(.event), range: position..<day.end) }
    guard position > 0, !word.beginsUppercase, word.beginsWithDigit || word.core.count > 3 else { return nil }
    if let day = reader.day(position), day.weekday != nil {
      return Piece(kind: .mention(.day), range: position..<day.end)
    }
    // A time beside a number that may be a date is of that date, or of none.
    if let day = reader.day(position), word.key.contains("/"),
      isAfterTime || reader.time(day.end)?.isBare == false || NameRules(grammar: self).isUnreadDate(position)
    {
      return Piece(kind: .mention(.event), range: position..<day.end)
    }
    guard let time = reader.time(position), !time.isBare, word.beginsWithDigit, !word.key.contains("h"),
      !reader.isWord(position - 1, .numbered), !reader.isWord(position - 1, .book)
    else { return nil }
    return Piece(kind: .mention(.time), range: position..<time.end)
  }

  /// Reads a day of the week that is not a name, because words in lower case are beside it: `half day Wednesday get kids at noon`.
  private func weekdayInside(_ position: Int) -> DayMatch? {
    guard reader.vocabulary.capitalDays == .always, position > 0, words[position].beginsUppercase,
      words[position].core.count > 3, words[position].trailing.isEmpty, words[position - 1].isLowercase,
      !reader.isWord(position - 1, .naming), !reader.isWord(position - 1, .dangling),
      let day = reader.day(position), day.weekday != nil, day.end < words.count,
      words[day.end].isLowercase
    else { return nil }
    return day
  }

  /// Whether all words have capital letters, which then mean nothing.
  var isTitleCase: Bool {
    words.allSatisfy { $0.beginsUppercase || !$0.core.contains(where: \.isLetter) }
  }

  /// Whether no word has lower case letters.
  var isUppercase: Bool {
    !words.contains { $0.core.contains(where: \.isLowercase) }
  }
}

extension Word {
  /// Whether the word is a number with a fraction, and no time: `37,2`.
  fileprivate var isFraction: Bool {
    beginsWithDigit && !isNumber && Double(withPoint: key) != nil && DateReader.clock(key) == nil
  }

  /// Whether the word is a time, though a number and a unit: `17h`, `5pm`.
  var isHourOfDay: Bool {
    let rest = key.drop(while: \.isNumber)
    guard let hour = Int(key.prefix(key.count - rest.count)) else { return false }
    if rest.hasPrefix("h") { return rest.count > 1 || (13...23).contains(hour) }
    return rest.contains(":") || ["am", "pm", "p"].contains(rest)
      || (rest.hasPrefix(".") && rest.hasSuffix("h") && hour >= 7)
  }
}
