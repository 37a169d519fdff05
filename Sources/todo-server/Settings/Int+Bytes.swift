extension Int {
  /// Parses a number of bytes, such as `65536`, `64KiB`, `4MiB` or `1GiB`, or returns `nil`.
  init?(bytes text: String) {
    let digits = text.prefix { ("0"..."9").contains($0) }
    guard let number = Int(digits), let unit = Self.units[String(text[digits.endIndex...])] else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    self = bytes
  }

  /// The text in the largest unit that divides the number.
  var byteText: String {
    let unit = Self.units.filter { self % $0.value == 0 && self >= $0.value }.max { $0.value < $1.value }
    return unit.map { "\(self / $0.value)\($0.key)" } ?? "\(self)"
  }

  private static let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
}
