/// A part of a day, which stands for a time.
enum DayPart: String {
  case morning, afternoon, evening, night

  /// Parses a lowercase word.
  init?(_ word: Substring) { self.init(rawValue: String(word)) }

  /// Consumes a part of today from the words: `tonight` or `this evening`.
  init?(today words: inout Words) {
    if words.take("tonight") {
      self = .night
    } else if let part = words.takeTwo({ $0 == "this" ? DayPart($1) : nil }) {
      self = part
    } else {
      return nil
    }
  }

  var time: TimeOfDay {
    switch self {
    case .morning: TimeOfDay(hour: 9)
    case .afternoon: TimeOfDay(hour: 15)
    case .evening: TimeOfDay(hour: 18)
    case .night: TimeOfDay(hour: 20)
    }
  }
}
