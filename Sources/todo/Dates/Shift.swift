/// A due date relative to now: `+3d`, `in 2 hours`.
enum Shift: Equatable {
  case days(Int)
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

  private init?(_ number: Int, _ unit: Unit) {
    let (product, overflow) = number.multipliedReportingOverflow(by: unit.factor)
    guard !overflow else { return nil }
    self = unit.isDays ? .days(product) : .minutes(product)
  }

  /// Consumes `+3d`, `+3`, `in 3d`, `in 3` or `in a`.
  private static func count(_ words: inout Words) -> (number: Int, unit: Unit?)? {
    if words.take("in") {
      return words.take { $0 == "a" || $0 == "an" ? (1, nil) : count($0) }
    }
    return words.take { word in
      var word = word
      return word.take("+") ? count(word) : nil
    }
  }

  private static func count(_ word: Substring) -> (number: Int, unit: Unit?)? {
    var rest = word
    guard let number = rest.takeNumber() else { return nil }
    if rest.isEmpty { return (number, nil) }
    return Unit(rest).map { (number, $0) }
  }

  private enum Unit {
    case minute, hour, day, week

    init?(_ word: Substring) {
      switch word {
      case "m", "min", "mins", "minute", "minutes": self = .minute
      case "h", "hour", "hours": self = .hour
      case "d", "day", "days": self = .day
      case "w", "week", "weeks": self = .week
      default: return nil
      }
    }

    var isDays: Bool { self == .day || self == .week }

    /// The length of the unit in days if `isDays`, or else in minutes.
    var factor: Int {
      switch self {
      case .minute, .day: 1
      case .hour: 60
      case .week: 7
      }
    }
  }
}
