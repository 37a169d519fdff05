import ToDoSupport

extension Duration {
  /// Parses a whole number with a unit, such as `500ms`, `30s`, `15m`, `12h` or `7d`, or returns `nil`.
  init?(text: String) {
    guard let duration = Self.format.parse(text) else { return nil }
    self = duration
  }

  /// The text in the largest unit that divides the duration. Fractions of a millisecond are dropped.
  var shortText: String {
    let (seconds, attoseconds) = components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let units: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s"), (1, "ms")]
    let unit = units.first { milliseconds >= $0.0 && milliseconds % $0.0 == 0 }
    return unit.map { "\(milliseconds / $0.0)\($0.1)" } ?? "0s"
  }

  private static let format = DurationFormat(
    units: ["ms", "s", "m", "h", "d"], upTo: .seconds(24 * 3600) * 1_000_000_000)
}
