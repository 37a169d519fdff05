/// Formats numbers for human-readable output.
enum Figure {
  /// Returns a number rounded to an integer, with separators: `1,234,567`.
  ///
  /// A number below 10 that is not an integer has two decimal places: `2.50`.
  static func count(_ number: Double) -> String {
    if number < 10, number != number.rounded() { return decimal(number, places: 2) }
    return count(Int(number.rounded()))
  }

  static func count(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// Returns a number with a noun in the singular or plural: `1 request`, `2 requests`.
  static func count(_ number: Int, _ thing: String) -> String { "\(count(number)) \(thing)\(number == 1 ? "" : "s")" }

  /// Returns a duration with three significant digits and a unit: `62.1 µs`, `1.25 ms`.
  static func time(_ nanoseconds: Double) -> String {
    let units = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
    // A value that would be rounded to 1,000 is shown in the next unit.
    let unit = units.first { nanoseconds / $0.1 < 999.5 } ?? ("s", 1e9)
    return "\(significant(nanoseconds / unit.1)) \(unit.0)"
  }

  /// Returns a byte rate with three significant digits: `1.25 MB/s`.
  static func byteRate(_ bytes: Double) -> String {
    let units = [("B/s", 1.0), ("kB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9)]
    let unit = units.first { bytes / $0.1 < 999.5 } ?? ("GB/s", 1e9)
    return "\(significant(bytes / unit.1)) \(unit.0)"
  }

  static func percent(_ share: Double) -> String {
    let percent = share * 100
    return percent > 0 && percent < 0.1 ? "\(significant(percent)) %" : "\(decimal(percent, places: 1)) %"
  }

  /// Returns a number with three significant digits, or with all digits before the decimal point if there are more.
  static func significant(_ number: Double) -> String {
    switch number {
    case 0: "0"
    case ..<0.01: decimal(number, places: 4)
    case ..<9.995: decimal(number, places: 2)
    case ..<99.95: decimal(number, places: 1)
    default: decimal(number, places: 0)
    }
  }

  static func decimal(_ number: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((number * scale).rounded())
    guard places > 0 else { return String(scaled) }
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
