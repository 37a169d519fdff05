/// Reads the fields of a date or a time from left to right.
struct TextFields {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number with exactly this many digits.
  mutating func number(digits: Int) -> Int? {
    let field = rest.prefix(digits)
    guard field.count == digits, field.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return field.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Skips a character if it is the next one. Returns whether it was.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Skips bytes that were read otherwise.
  mutating func skip(characters count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Reads a fraction of a second, if there is one, in microseconds rounded down.
  mutating func microseconds() -> Int64? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix(while: Self.isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    let six = Array(digits.prefix(6)) + Array(repeating: UInt8(ascii: "0"), count: max(0, 6 - digits.count))
    return six.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  /// Reads an offset from UTC, in seconds: `Z` or `+02:00`.
  mutating func offsetSeconds() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isNegative = skip("-")
    guard isNegative || skip("+"), let hours = number(digits: 2), hours < 24, skip(":"),
      let minutes = number(digits: 2), minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
