/// A class of words beside which a day, a time or a number means something else.
enum WordClass: UInt64, Sendable {
  /// Words that need another one, so that no title ends in them: `to`, `the`.
  case dangling
  /// Words that go on with a sentence after a date: `with`.
  case preposition
  /// Verbs whose subject is the repetition before them: `every day is a gift`, `every day counts`.
  case copula
  /// Words before verbs that look like days: `who` in `who sat on my glasses`.
  case pronoun
  /// Words before a day that is a name: `black` in `Black Friday`, `Mr` in `Mr Friday`.
  case naming
  /// Words before a number that counts or names something: `chapter`, `room`.
  case numbered
  /// Words for quantities, after which a number is not an hour: `sell it at 20`.
  case amount
  /// Words in a sentence with a ratio: `dilute 1:10`.
  case ratio
  /// Words that are a day only beside a date, a time or a part of a day: `jeu`, which is also a game.
  case homograph
  /// Nouns for texts, which have a subject: `essay on`.
  case writing
  /// Verbs whose reason lies in the past: `thank Lee for Saturday`.
  case thanks
  /// Nouns for things that are given or said on a holiday: `Geschenk zu Weihnachten`.
  case occasion
  /// Words that make one name with the holiday after them: `the family Christmas`.
  case celebrating
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
  /// Words for events in the morning: `breakfast`.
  case early
  /// Verbs for events on a day: `starts` in `Sale starts Boxing Day`.
  case beginning
  /// Nouns before a time with a point and a day of the week: `appt 11.20 Thurs`.
  case appointment
  /// Nouns for parts of texts and recordings: `the line at 4:20`.
  case passage
  /// Verbs before `in`: `check in at 5`.
  case phrasal
  /// Days of the week in letters: `mwf`.
  case dayLetters
  /// Verbs whose objects are appointments, which are named by their time: `cancel 3pm with Omar`.
  case rescheduling
  /// Words for journeys, whose times are written in 24 hours: `flight`.
  case travel
  /// Words for events in the evening: `dinner`.
  case late
  /// Events only for a number of people: `table` in `table for 4`.
  case seating
  /// Nouns before the name of a work: `album`.
  case workNoun
  /// Names of people that are months too.
  case givenName
  /// Abbreviations of time zones.
  case zone
  /// Words that make one word with `sun` or `sat` before them: `cream`.
  case compound
  /// Nouns after a number that is not a day of a month: `friday 4th period`.
  case counted
  /// Letters after a number that is the day of a month: `th` in `5th`.
  case ordinalSuffix
  /// After an hour in digits: `5ish`.
  case hourSuffix
  /// Words after a person, in a sentence that goes on: `about`.
  case topic
  /// Usual misspellings of days.
  case misspelling
  /// Days in other languages, which are read only if the locale has the language.
  case foreignDay
  /// Such days that their language writes with a capital.
  case foreignNoun
  /// Words that resemble days but are not: `sundae`.
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
  /// The rule for capital letters of days and months.
  var capitalDays = Capitals.always
  /// Whether `halb 6` is half past five.
  var halfPrecedesHour = false
  /// Whether `1:30` is an hour of 12, unlike `01:30`.
  var hasTwelveHours = false
  /// Whether `3.12` is a date, and `3.` a day.
  var hasDottedDates = false
  /// Whether a blank precedes an exclamation mark, which then is not a priority.
  var spacesExclamationMarks = false

  enum Capitals: Sendable {
    /// Always, so that a capital letter means nothing where others have one too.
    case always
    /// Always, as all nouns.
    case asNouns
    /// Never, except at the beginning of a sentence, so that a capital letter makes a name.
    case never
  }
}
