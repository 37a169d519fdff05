/// The words of one or more languages, with their meanings.
///
/// A hash table over the tables of the languages. It refers to their texts, so that building it copies none.
struct Vocabulary: Sendable {
  let capitalDays: Language.Capitals
  let halfPrecedesHour: Bool
  let hasDottedDates: Bool
  let hasTwelveHours: Bool
  let spacesExclamationMarks: Bool
  private var entries: [Entry] = []
  /// The last entry of each bucket, or -1.
  private var buckets: [Int32]
  /// The entries that are names of days and months.
  private var nameIndexes: [Int] = []

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
    /// The maximum number of words in the entries that begin with the word.
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

  /// - Parameter languages: the languages, the last of which decides about capital letters.
  private init(_ languages: [Language]) {
    capitalDays = languages.last?.capitalDays ?? .always
    halfPrecedesHour = languages.contains(where: \.halfPrecedesHour)
    hasDottedDates = languages.contains(where: \.hasDottedDates)
    hasTwelveHours = languages.last?.hasTwelveHours == true
    spacesExclamationMarks = languages.contains(where: \.spacesExclamationMarks)
    buckets = Array(repeating: -1, count: Self.bucketCount)
    entries.reserveCapacity(1024 * languages.count)
    for language in languages {
      for (number, texts) in language.weekdays.enumerated() { add(.lexeme(.weekday(number)), texts) }
      for (number, texts) in language.months.enumerated() { add(.lexeme(.month(number + 1)), texts) }
      for (lexeme, texts) in language.lexemes { add(.lexeme(lexeme), texts) }
      for (wordClass, texts) in language.classes { add(.wordClass(wordClass), texts) }
    }
  }

  /// Returns the meanings of a lower-case word, or a few words with blanks between them.
  func meanings(of key: String) -> Meanings {
    var meanings = Meanings()
    let hash = key.utf8.reduce(Self.emptyHash, Self.hash)
    var index = buckets[Int(hash) % Self.bucketCount]
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
  var names: some Sequence<Substring> { nameIndexes.lazy.map { entries[$0].text } }

  /// The words of dates.
  var words: some Sequence<Substring> { entries.lazy.filter(\.isLexeme).map(\.text) }

  // MARK: Tables

  /// Adds entries that are separated by commas, and the first words of those that have several.
  private mutating func add(_ content: Content, _ texts: String) {
    let (blank, comma) = (UInt8(ascii: " "), UInt8(ascii: ","))
    texts.utf8.withContiguousStorageIfAvailable { bytes in
      var start = 0
      while start < bytes.count {
        var (end, hash, wordCount) = (start, Self.emptyHash, 1)
        var firstWord: (end: Int, hash: UInt32)?
        while end < bytes.count, bytes[end] != comma {
          if bytes[end] == blank {
            wordCount += 1
            firstWord = firstWord ?? (end, hash)
          }
          hash = Self.hash(hash, bytes[end])
          end += 1
        }
        add(content, texts, start..<end, hash)
        if case .lexeme = content, let firstWord {
          add(.beginning(wordCount: wordCount), texts, start..<firstWord.end, firstWord.hash)
        }
        start = end + 1
        while start < bytes.count, bytes[start] == blank { start += 1 }
      }
    }
  }

  private mutating func add(_ content: Content, _ texts: String, _ range: Range<Int>, _ hash: UInt32) {
    let start = texts.utf8.index(texts.startIndex, offsetBy: range.lowerBound)
    let text = texts[start..<texts.utf8.index(start, offsetBy: range.count)]
    let bucket = Int(hash) % Self.bucketCount
    let entry = Entry(text: text, hash: hash, content: content, previous: buckets[bucket])
    if entry.isName { nameIndexes.append(entries.count) }
    entries.append(entry)
    buckets[bucket] = Int32(entries.count - 1)
  }

  // MARK: Hashing

  private static let bucketCount = 2048
  private static let emptyHash: UInt32 = 2_166_136_261

  /// FNV-1a.
  private static func hash(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte)) &* 16_777_619 }
}

/// Some classes of words.
struct WordClasses: OptionSet, Sendable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }
  init(_ wordClass: WordClass) { rawValue = 1 << wordClass.rawValue }
}
