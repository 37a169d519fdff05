/// A class of words beside which a day, a time or a number means something else.
enum WordClass: Sendable {
  /// Words that need another one, so that no title ends in them: `to`, `the`.
  case dangling
  /// Words that go on with a sentence after a date: `with`.
  case preposition
  /// Words before verbs that look like days: `who` in `who sat on my glasses`.
  case pronoun
  /// Words before a day that is a name: `black` in `Black Friday`, `Mr` in `Mr Friday`.
  case naming
  /// Words before a number that counts or names something: `chapter`, `room`.
  case numbered
  /// Verbs for which `9/10` is a rating.
  case rating
  /// Books with chapters and verses: `John 3:16`.
  case book
  /// Words before `for` and the name of a work: `tickets`.
  case admission
  /// Verbs whose objects are works with names: `watch`.
  case work
  /// Words after a number that measures something: `euros`.
  case measure
  /// Words after the name of a street, and before one that is a date: `street`, `piazza`.
  case street
  /// Words after a person, in a sentence that goes on: `about`.
  case topic
  /// Usual misspellings of days.
  case misspelling
  /// Words that resemble days and are none: `sundae`.
  case lookalike
}

/// The words of a language.
///
/// A table, not code: a file with another one adds a language. Words are in lower case and separated by commas; an entry may have
/// several words.
struct Language: Sendable {
  /// The days of the week, from Monday, each with its abbreviations.
  let weekdays: [String]
  /// The months, from January, each with its abbreviations.
  let months: [String]
  /// The other words of dates and times.
  let lexemes: [(Lexeme, String)]
  let classes: [WordClass: String]
  /// When days and months have capital letters.
  var capitalDays = Capitals.always
  /// Whether `halb 6` is half past five.
  var halfPrecedesHour = false
  /// Whether `3.12` is a date, and `3.` a day.
  var hasDottedDates = false

  enum Capitals: Sendable {
    /// Always, so that a capital letter means nothing where others have one too.
    case always
    /// Always, as all nouns.
    case asNouns
    /// Never, except at the beginning of a sentence, so that a capital letter makes a name.
    case never
  }
}

/// The words of one or more languages.
struct Vocabulary: Sendable {
  private(set) var lexemes: [String: [Lexeme]] = [:]
  /// The maximum number of words of the entries that begin with a word, if it is above 1.
  private(set) var lengths: [String: Int] = [:]
  /// The names of days and months that a misspelled word can be meant to be.
  private(set) var names: [String] = []
  let capitalDays: Language.Capitals
  let halfPrecedesHour: Bool
  let hasDottedDates: Bool
  private var classes: [WordClass: Set<String>] = [:]

  /// - Parameter languages: the languages, of which the last decides about capital letters.
  init(_ languages: [Language]) {
    capitalDays = languages.last?.capitalDays ?? .always
    halfPrecedesHour = languages.contains(where: \.halfPrecedesHour)
    hasDottedDates = languages.contains(where: \.hasDottedDates)
    for language in languages {
      for (number, entries) in language.weekdays.enumerated() { add(.weekday(number), entries) }
      for (number, entries) in language.months.enumerated() { add(.month(number + 1), entries) }
      for (lexeme, entries) in language.lexemes { add(lexeme, entries) }
      for (wordClass, entries) in language.classes {
        classes[wordClass, default: []].formUnion(Self.split(entries).map(String.init))
      }
    }
  }

  /// Whether a word in lower case is of a class.
  func isWord(_ key: String, _ wordClass: WordClass) -> Bool {
    classes[wordClass]?.contains(key) == true
  }

  private mutating func add(_ lexeme: Lexeme, _ entries: String) {
    for entry in Self.split(entries) {
      let key = String(entry)
      if lexemes[key]?.contains(lexeme) != true { lexemes[key, default: []].append(lexeme) }
      let words = key.split(separator: " ")
      if words.count > 1 { lengths[String(words[0])] = max(words.count, lengths[String(words[0])] ?? 0) }
      if lexeme.isName, key.utf8.count >= 6 { names.append(key) }
    }
  }

  private static func split(_ entries: String) -> some Sequence<Substring> {
    entries.split(separator: ",").lazy.map { $0.drop { $0 == " " } }
  }
}

extension Lexeme {
  fileprivate var isName: Bool {
    switch self {
    case .weekday, .month, .relative: true
    default: false
    }
  }
}
