extension Duration {
  /// Reads a whole number and its unit: `500ms`, `30s`, `15m`, `12h`, `7d`; `nil` for anything else.
  init?(text: String) {
    let digits = text.prefix { ("0"..."9").contains($0) }
    // More would overflow in days.
    guard let number = Int64(digits), number <= 1_000_000_000, let unit = Self.units[String(text[digits.endIndex...])]
    else { return nil }
    self = unit * Int(number)
  }

  private static let units: [String: Duration] = [
    "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600), "d": .seconds(24 * 3600),
  ]
}
