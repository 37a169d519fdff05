import ToDoModel

/// Reads days and times at a position in the words of a sentence. A class, because every attempt to read holds it.
final class DateReader {
  let words: [Word]
  let vocabulary: Vocabulary
  let today: CalendarDate
  /// The time of day in minutes after midnight.
  let now: Int
  /// Whether `5/1` is a day of May.
  let isMonthFirst: Bool
  /// Whether the words are a date and nothing else, so that `3d` is a day, and `Sat 3 Jan` may be past.
  let isDateOnly: Bool
  /// The meanings of the words at each position, with the position after them. Longer entries come first.
  private let lexemes: [[(lexeme: Lexeme, end: Int)]]
  private let classes: [WordClasses]
  let days: Memo<DayMatch?>
  let times: Memo<TimeMatch?>
  /// Whether a sentence repeats, as its only value.
  let repetitions = Memo<Bool>(count: 1)

  init(
    words: [Word], vocabulary: Vocabulary, today: CalendarDate, now: Int, isMonthFirst: Bool, isDateOnly: Bool = false
  ) {
    self.words = words
    self.vocabulary = vocabulary
    (self.today, self.now, self.isMonthFirst, self.isDateOnly) = (today, now, isMonthFirst, isDateOnly)
    let meanings = words.map { vocabulary.meanings(of: $0.isPunctuation ? $0.text : $0.key) }
    classes = meanings.map(\.classes)
    lexemes = words.indices.map { Self.lexemes(words, $0, meanings[$0], vocabulary) }
    days = Memo(count: words.count)
    times = Memo(count: words.count)
  }

  /// Returns a reader of other words.
  func reading(_ words: [Word]) -> DateReader {
    DateReader(
      words: words, vocabulary: vocabulary, today: today, now: now, isMonthFirst: isMonthFirst, isDateOnly: isDateOnly)
  }

  private static func lexemes(
    _ words: [Word], _ position: Int, _ meanings: Vocabulary.Meanings, _ vocabulary: Vocabulary
  ) -> [(lexeme: Lexeme, end: Int)] {
    guard !words[position].isMark else { return [] }
    var result: [(lexeme: Lexeme, end: Int)] = []
    for length in (1...max(1, min(meanings.wordCount, words.count - position))).reversed() {
      let end = position + length
      if length == 1 {
        result += meanings.lexemes.map { ($0, end) }
      } else if let key = key(words[position..<end]) {
        result += vocabulary.meanings(of: key).lexemes.map { ($0, end) }
      }
    }
    return result
  }

  /// Returns words as a key of the vocabulary, or `nil` if there is punctuation between them.
  private static func key(_ words: ArraySlice<Word>) -> String? {
    guard words.dropLast().allSatisfy(\.trailing.isEmpty), words.dropFirst().allSatisfy(\.leading.isEmpty) else {
      return nil
    }
    return words.map(\.key).joined(separator: " ")
  }

  /// Returns the result of `read` for the lexeme at a position, and the position after it. Longer entries come first.
  func take<Value>(_ position: Int, _ read: (Lexeme) -> Value?) -> (value: Value, end: Int)? {
    guard (0..<lexemes.count).contains(position) else { return nil }
    for match in lexemes[position] {
      if let value = read(match.lexeme) { return (value, match.end) }
    }
    return nil
  }

  /// Returns the position after a lexeme, or `nil` if another one is there.
  func skip(_ position: Int, _ lexeme: Lexeme) -> Int? {
    take(position) { $0 == lexeme ? true : nil }?.end
  }

  /// Whether words of dates are at a position.
  func isKnown(_ position: Int) -> Bool { lexemes[position].contains { $0.end == position + 1 } }

  /// Whether a word is of a class.
  func isWord(_ position: Int, _ wordClass: WordClass) -> Bool {
    (0..<classes.count).contains(position) && classes[position].contains(WordClasses(wordClass))
  }

  /// Whether an event of a class is named: `dinner at 7`, but not `dinner plates`.
  func hasEvent(_ wordClass: WordClass) -> Bool {
    words.indices.contains { position in
      guard isWord(position, wordClass) else { return false }
      let next = position + 1
      // `table for 8`, `Tisch für 4`, but not `set the table`
      if wordClass == .late, vocabulary.isWord(words[position].key, .seating) {
        return next + 1 < words.count && ["for", "für"].contains(words[next].key) && number(next + 1) != nil
      }
      // `Train with Ben 6:30`
      if position == 0, words[0].key == "train", next < words.count, !isKnown(next) { return false }
      // `cake for the party at 10`
      if wordClass == .late,
        words[max(0, position - 3)..<position].contains(where: {
          ["for", "für", "pour", "para", "per"].contains($0.key)
        })
      {
        return false
      }
      if [.early, .travel].contains(wordClass) || words[position].key == "pub" { return true }
      return next == words.count || !words[position].trailing.isEmpty || isKnown(next) || isWord(next, .dangling)
        || isWord(next, .preposition) || isWord(next, wordClass) || words[next].core.first?.isLetter != true
        || vocabulary.capitalDays == .asNouns
    }
  }

  // MARK: Kinds of lexemes

  func weekday(_ position: Int) -> (value: Int, end: Int)? {
    take(position) { if case .weekday(let weekday) = $0 { weekday } else { nil } }
  }

  func month(_ position: Int) -> (value: Int, end: Int)? {
    take(position) { if case .month(let month) = $0 { month } else { nil } }
  }

  func part(_ position: Int) -> (value: Part, end: Int)? {
    take(position) { if case .part(let part) = $0 { part } else { nil } }
  }

  func span(_ position: Int) -> (value: Span, end: Int)? {
    take(position) { if case .span(let span) = $0 { span } else { nil } }
  }

  func relative(_ position: Int) -> (value: Int, end: Int)? {
    take(position) { if case .relative(let days) = $0 { days } else { nil } }
  }

  func clock(_ position: Int) -> (value: Int, end: Int)? {
    take(position) { lexeme in
      switch lexeme {
      case .clock(let minutes): minutes
      case .endOfDay: Self.endOfDay
      default: nil
      }
    }
  }

  /// The time at which a working day ends, in minutes after midnight.
  private static let endOfDay = 17 * 60

  func adverb(_ position: Int) -> (value: Part, end: Int)? {
    take(position) { if case .adverb(let part) = $0 { part } else { nil } }
  }

  /// Returns the number of days until a weekday, from tomorrow on, or from today.
  func distance(to weekday: Int, fromToday: Bool = false) -> Int {
    let distance = (weekday - today.weekday + 7) % 7
    return distance == 0 && !fromToday ? 7 : distance
  }
}
