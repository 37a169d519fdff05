/// Parses durations with a unit: `250us`, `1.5ms`, `10s`, `2m`, `1h`.
enum DurationText {
  /// Returns a duration, or `nil` if the text is malformed or the duration exceeds one day.
  static func nanoseconds(_ text: some StringProtocol) -> Nanoseconds? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), let unit = units[String(text[digits.endIndex...])] else { return nil }
    let nanoseconds = number * unit
    return nanoseconds <= maximum ? Nanoseconds(nanoseconds.rounded()) : nil
  }

  private static let maximum = 86_400e9

  private static let units: [String: Double] = [
    "ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9,
  ]
}
