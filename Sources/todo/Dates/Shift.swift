/// A due date relative to now: `+3d`, `2w`, `in 3 months`.
enum Shift: Equatable {
  case days(Int)
  case months(Int)
  case minutes(Int)

  /// Consumes a shift from the words, or nothing if they do not begin with one.
  init?(_ words: inout Words) {
    var rest = words
    guard let count = Self.count(&rest), let unit = count.unit ?? rest.take(Unit.init),
      let shift = Self(count.number, unit)
    else { return nil }
    words = rest
    self = shift
  }

  /// Whether a word is a number and `m`, which could be minutes or months.
  static func isAmbiguous(_ word: Substring) -> Bool {
    var rest = word
    _ = rest.take("+")
    return rest.takeNumber() != nil && rest == "m"
  }

  private init?(_ number: Int, _ unit: Unit) {
    let (product, overflow) = number.multipliedReportingOverflow(by: unit.factor)
    guard !overflow else { return nil }
    switch unit {
    case .minute, .hour: self = .minutes(product)
    case .day, .week: self = .days(product)
    case .month, .year: self = .months(product)
    }
  }

  /// Consumes `+3d`, `3d`, `+3`, `3`, `in 3d`, `in 3` or `in a`.
  private static func count(_ words: inout Words) -> (number: Int, unit: Unit?)? {
    if words.take("in") {
      return words.take { $0 == "a" || $0 == "an" ? (1, nil) : count($0) }
    }
    return words.take { word in
      var word = word
      _ = word.take("+")
      return count(word)
    }
  }

  private static func count(_ word: Substring) -> (number: Int, unit: Unit?)? {
    var rest = word
    guard let number = rest.takeNumber() else { return nil }
    if rest.isEmpty { return (number, nil) }
    return Unit(rest).map { (number, $0) }
  }

  private enum Unit {
    case minute, hour, day, week, month, year

    init?(_ word: Substring) {
      switch word {
      // "m" could be minutes or months.
      case "min", "mins", "minute", "minutes": self = .minute
      case "h", "hour", "hours": self = .hour
      case "d", "day", "days": self = .day
      case "w", "week", "weeks": self = .week
      case "mo", "month", "months": self = .month
      case "y", "year", "years": self = .year
      default: return nil
      }
    }

    /// The length of the unit in minutes, days or months.
    var factor: Int {
      switch self {
      case .minute, .day, .month: 1
      case .hour: 60
      case .week: 7
      case .year: 12
      }
    }
  }
}
