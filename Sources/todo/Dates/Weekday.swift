import ToDoModel

/// A day of the week; weeks begin on Monday.
enum Weekday: Int, CaseIterable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// Parses a lowercase English name, or a prefix of it with at least three letters.
  init?(_ word: some StringProtocol) {
    guard word.count >= 3, let day = Self.allCases.first(where: { $0.name.hasPrefix(word) }) else { return nil }
    self = day
  }

  /// Creates the day of the week of a date.
  init(of date: CalendarDate) {
    // 1970-01-01 was a Thursday.
    let number = Int64(date.daysSinceEpoch + Self.thursday.rawValue).flooredDivision(by: 7).remainder
    self = Self.allCases[Int(number)]
  }

  /// The abbreviation, such as `Fri`.
  var shortName: String { name.prefix(1).uppercased() + name.dropFirst().prefix(2) }

  private var name: String { String(describing: self) }
}
