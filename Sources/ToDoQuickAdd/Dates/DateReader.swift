import ToDoModel

/// Reads days and times at a position in the words of a sentence.
struct DateReader {
  let words: [Word]
  let vocabulary: Vocabulary
  let today: CalendarDate
  /// The time of day in minutes after midnight.
  let now: Int
  /// Whether `5/1` is a day of May.
  let isMonthFirst: Bool

  /// Returns a reader of other words.
  func reading(_ words: [Word]) -> DateReader {
    DateReader(words: words, vocabulary: vocabulary, today: today, now: now, isMonthFirst: isMonthFirst)
  }

  /// Returns what `read` makes of the lexeme at a position, and the position after it. Longer entries come first.
  func take<Value>(_ position: Int, _ read: (Lexeme) -> Value?) -> (value: Value, end: Int)? {
    guard words.indices.contains(position), !words[position].isMark else { return nil }
    var length = min(vocabulary.lengths[words[position].key] ?? 1, words.count - position)
    while length > 0 {
      if let key = key(position, length), let value = vocabulary.lexemes[key]?.lazy.compactMap(read).first {
        return (value, position + length)
      }
      length -= 1
    }
    return nil
  }

  /// Returns the position after a lexeme, or `nil` if another one is there.
  func skip(_ position: Int, _ lexeme: Lexeme) -> Int? {
    take(position) { $0 == lexeme ? true : nil }?.end
  }

  /// Whether a word is of a class.
  func isWord(_ position: Int, _ wordClass: WordClass) -> Bool {
    words.indices.contains(position) && vocabulary.isWord(words[position].key, wordClass)
  }

  /// Returns words as a key of the vocabulary, or `nil` if there is punctuation between them.
  private func key(_ position: Int, _ length: Int) -> String? {
    if length == 1 { return words[position].isPunctuation ? words[position].text : words[position].key }
    let part = words[position..<position + length]
    guard part.dropLast().allSatisfy(\.trailing.isEmpty), part.dropFirst().allSatisfy(\.leading.isEmpty) else {
      return nil
    }
    return part.map(\.key).joined(separator: " ")
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
    take(position) { if case .clock(let minutes) = $0 { minutes } else { nil } }
  }

  func adverb(_ position: Int) -> (value: Part, end: Int)? {
    take(position) { if case .adverb(let part) = $0 { part } else { nil } }
  }

  /// The number of days until a day of the week, from tomorrow on, or from today.
  func distance(to weekday: Int, fromToday: Bool = false) -> Int {
    let distance = (weekday - today.weekday + 7) % 7
    return distance == 0 && !fromToday ? 7 : distance
  }
}
