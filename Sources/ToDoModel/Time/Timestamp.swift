/// An instant on the UTC time line, in whole microseconds since 1970-01-01T00:00:00Z.
///
/// Every store has a precision of one microsecond; a `google.protobuf.Timestamp` is rounded down to it. Leap seconds do
/// not count, as in POSIX.
public struct Timestamp: Hashable, Sendable {
  /// The number of microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// Creates an instant.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The range that the schema and RFC 3339 can represent: the years 1 to 9999.
  public static let supportedRange: ClosedRange<Timestamp> =
    Timestamp(microseconds: -62_135_596_800_000_000)...Timestamp(microseconds: 253_402_300_799_999_999)
}

extension Timestamp: Comparable {
  /// Whether the first instant is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Timestamp: LosslessStringConvertible {
  /// Parses an instant in RFC 3339 format, such as `2026-05-01T09:30:00+02:00`. Rounds down to whole microseconds. Leap seconds
  /// are not accepted.
  public init?(_ text: String) {
    var fields = TextFields(text)
    guard let date = CalendarDate(String(text.prefix(10))), fields.skip(characters: 10),
      fields.skip("T") || fields.skip("t"),
      let hour = fields.number(digits: 2), hour < 24, fields.skip(":"), let minute = fields.number(digits: 2),
      minute < 60,
      fields.skip(":"), let second = fields.number(digits: 2), second < 60, let fraction = fields.microseconds(),
      let offset = fields.offsetSeconds(), fields.isAtEnd
    else { return nil }
    let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    self.init(microseconds: seconds * 1_000_000 + fraction)
    guard Self.supportedRange.contains(self) else { return nil }
  }

  /// The instant in RFC 3339 format, in UTC, with no, three or six fractional digits, as needed. Outside of ``supportedRange``,
  /// which RFC 3339 cannot represent, the microseconds since 1970, such as `253402300800000000 µs`.
  public var description: String {
    guard Self.supportedRange.contains(self) else { return "\(microseconds) µs" }
    let (seconds, fraction) = microseconds.flooredDivision(by: 1_000_000)
    let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
    let date = CalendarDate(daysSinceEpoch: Int(days))
    let time = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { decimal(Int($0), digits: 2) }
    let digits =
      if fraction == 0 { "" } else if fraction % 1000 == 0 {
        "." + decimal(Int(fraction / 1000), digits: 3)
      } else { "." + decimal(Int(fraction), digits: 6) }
    return "\(date)T\(time.joined(separator: ":"))\(digits)Z"
  }
}

extension Int64 {
  /// Returns the quotient rounded toward negative infinity, and the remainder, which is never negative.
  package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// Returns a number in decimal, padded with zeros to at least `digits` characters.
func decimal(_ number: Int, digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
