/// The words of one or more languages, with what they mean.
///
/// A hash table over the tables of the languages. It refers to their texts, so that building it copies none.
struct Vocabulary: Sendable {
  let capitalDays: Language.Capitals
  let halfPrecedesHour: Bool
  let hasDottedDates: Bool
  private var entries: [Entry] = []
  /// The last entry of each bucket, or -1.
  private var buckets: [Int32]

  /// A word, or a few words, and one of its meanings.
  private struct Entry: Sendable {
    let text: Substring
    let hash: UInt32
    let content: Content
    /// The entry before this one in the bucket, or -1.
    let previous: Int32

    var isLexeme: Bool {
      if case .lexeme = content { true } else { false }
    }

    /// Whether a day or a month has this name, which is not too short to recognize a misspelled one.
    var isName: Bool {
      switch content {
      case .lexeme(.weekday), .lexeme(.month), .lexeme(.relative): text.utf8.count >= 6
      default: false
      }
    }
  }

  private enum Content: Sendable {
    case lexeme(Lexeme)
    case wordClass(WordClass)
    /// An entry with this many words begins with the word.
    case beginning(wordCount: Int)
  }

  /// The meanings of a word.
  struct Meanings {
    /// In the order of the tables.
    fileprivate(set) var lexemes: [Lexeme] = []
    fileprivate(set) var classes = WordClasses()
    /// The maximum number of words of the entries that begin with the word.
    fileprivate(set) var wordCount = 1
  }

  private static let english = Vocabulary([.english])
  private static let german = Vocabulary([.english, .german])
  private static let spanish = Vocabulary([.english, .spanish])
  private static let french = Vocabulary([.english, .french])
  private static let italian = Vocabulary([.english, .italian])

  /// The words of a locale such as `de_DE`, and the English ones.
  init(locale: String) {
    self =
      switch locale.prefix(2) {
      case "de": .german
      case "es": .spanish
      case "fr": .french
      case "it": .italian
      default: .english
      }
  }

  /// - Parameter languages: the languages, of which the last decides about capital letters.
  private init(_ languages: [Language]) {
    capitalDays = languages.last?.capitalDays ?? .always
    halfPrecedesHour = languages.contains(where: \.halfPrecedesHour)
    hasDottedDates = languages.contains(where: \.hasDottedDates)
    buckets = Array(repeating: -1, count: 2048)
    entries.reserveCapacity(1024 * languages.count)
    for language in languages {
      for (number, texts) in language.weekdays.enumerated() { add(.lexeme(.weekday(number)), texts) }
      for (number, texts) in language.months.enumerated() { add(.lexeme(.month(number + 1)), texts) }
      for (lexeme, texts) in language.lexemes { add(.lexeme(lexeme), texts) }
      for (wordClass, texts) in language.classes { add(.wordClass(wordClass), texts) }
    }
  }

  /// Returns what a word in lower case, or a few words with blanks between them, mean.
  func meanings(of key: String) -> Meanings {
    var meanings = Meanings()
    let hash = Self.hash(key.utf8)
    var index = buckets[Int(hash) % buckets.count]
    while index >= 0 {
      let entry = entries[Int(index)]
      if entry.hash == hash, entry.text == key {
        switch entry.content {
        case .lexeme(let lexeme): meanings.lexemes.append(lexeme)
        case .wordClass(let wordClass): meanings.classes.insert(WordClasses(wordClass))
        case .beginning(let wordCount): meanings.wordCount = max(meanings.wordCount, wordCount)
        }
      }
      index = entry.previous
    }
    meanings.lexemes.reverse()
    return meanings
  }

  /// Whether a word in lower case is of a class.
  func isWord(_ key: String, _ wordClass: WordClass) -> Bool {
    meanings(of: key).classes.contains(WordClasses(wordClass))
  }

  /// The names of days and months that a misspelled word can be meant to be.
  var names: some Sequence<Substring> { entries.lazy.filter(\.isName).map(\.text) }

  /// The words of dates.
  var words: some Sequence<Substring> { entries.lazy.filter(\.isLexeme).map(\.text) }

  // MARK: Tables

  private mutating func add(_ content: Content, _ texts: String) {
    for bytes in texts.utf8.split(separator: UInt8(ascii: ",")) {
      let text = bytes.drop { $0 == UInt8(ascii: " ") }
      add(content, text)
      if case .lexeme = content, let blank = text.firstIndex(of: UInt8(ascii: " ")) {
        let wordCount = text.reduce(1) { $0 + ($1 == UInt8(ascii: " ") ? 1 : 0) }
        add(.beginning(wordCount: wordCount), text[..<blank])
      }
    }
  }

  private mutating func add(_ content: Content, _ text: Substring.UTF8View) {
    let hash = Self.hash(text)
    let bucket = Int(hash) % buckets.count
    entries.append(Entry(text: Substring(text), hash: hash, content: content, previous: buckets[bucket]))
    buckets[bucket] = Int32(entries.count - 1)
  }

  /// FNV-1a.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}

/// Some classes of words.
struct WordClasses: OptionSet, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ wordClass: WordClass) { rawValue = 1 << wordClass.rawValue }
}
