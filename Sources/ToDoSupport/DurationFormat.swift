/// A textual form of durations: a number and its unit, such as `250us`, `30s` or `7d`.
package struct DurationFormat: Sendable {
  private let units: [String: Duration]
  private let hasFractions: Bool
  private let maximum: Duration

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - units: the valid units, of ns, us, µs, ms, s, m, h and d.
  ///   - hasFractions: whether the number may have a decimal point.
  ///   - maximum: the longest valid duration.
  package init(units: Set<String>, hasFractions: Bool = false, upTo maximum: Duration) {
    self.units = Self.allUnits.filter { units.contains($0.key) }
    self.hasFractions = hasFractions
    self.maximum = maximum
  }

  /// Parses a duration, to the nanosecond.
  ///
  /// - Returns: `nil` if the text has another form, or the duration is longer than the maximum.
  package func parse(_ text: some StringProtocol) -> Duration? {
    let digits = text.prefix { ("0"..."9").contains($0) || hasFractions && $0 == "." }
    guard let number = Double(digits), let unit = units[String(text[digits.endIndex...])], number <= maximum / unit
    else {
      return nil
    }
    // Whole numbers are exact.
    if let whole = Int(digits) { return unit * whole }
    return .nanoseconds(Int64((number * (unit / .nanoseconds(1))).rounded()))
  }

  private static let allUnits: [String: Duration] = [
    "ns": .nanoseconds(1), "us": .microseconds(1), "µs": .microseconds(1), "μs": .microseconds(1),
    "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600), "d": .seconds(24 * 3600),
  ]
}
