import ToDoModel

/// Words of a sentence that stand for a date or a time together.
struct Piece {
  enum Kind {
    case day(DayMatch)
    case time(TimeMatch)
    case part(Part)
    case repetition(RepetitionMatch)
    case end(RepetitionEnd)
    /// The months of a year in which something repeats: `from april to october`.
    case season(Season)
    /// Words that repeat in a way that no rule can express.
    case unrepeatable(String, QuickAddReading.Unrepeatable)
    /// Two ends of a span, neither of which is meant alone. Empty if they cannot be read alone.
    case range([Piece])
    /// A day or a time that describes another word: `monday` in `my monday shift`.
    case mention(Mention)
    /// Words that look like a date but are not one.
    case unread(String)
  }

  enum Mention {
    case day, time
    case holiday
    /// A day on which something happens: `New Year's Eve party`, `Sunday brunch`.
    case event
    /// A repetition that is the subject of the sentence: `every day is a gift`.
    case subject
  }

  let kind: Kind
  /// The words, with those before them that belong to them.
  let range: Range<Int>
  /// Whether such a word is among them: `on`, `at`, `in the`.
  var hasConnective = false

  var isTime: Bool {
    if case .time = kind { true } else { false }
  }

  var isDayOrTime: Bool {
    switch kind {
    case .day, .time: true
    default: false
    }
  }

  var isMention: Bool {
    if case .mention = kind { true } else { false }
  }
}
