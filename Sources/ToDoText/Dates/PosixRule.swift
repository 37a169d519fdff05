/// A POSIX rule for a time zone, such as `CET-1CEST`.
package struct PosixRule {
  /// The offset from UTC in minutes, positive west of Greenwich.
  let minutesWest: Int
  /// Whether an abbreviation follows the offset.
  let hasSummerTime: Bool

  /// Reads the beginning of a rule, or returns `nil` if the text is not one.
  package init?(_ text: Substring) {
    var rest = text
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return nil }
      rest = rest[rest.index(after: end)...]
    } else {
      rest = rest.drop(while: \.isLetter)
      guard text.count - rest.count >= 3 else { return nil }
    }
    let sign = rest.first == "-" ? -1 : 1
    if let first = rest.first, "+-".contains(first) { rest = rest.dropFirst() }
    let number = rest.prefix { $0.isNumber || $0 == ":" }
    let fields = number.split(separator: ":").map { Int($0) }
    let minutes = fields.count > 1 ? fields[1] : 0
    guard let hours = fields.first ?? nil, let minutes, hours <= 24, minutes < 60 else { return nil }
    minutesWest = sign * (hours * 60 + minutes)
    hasSummerTime = number.endIndex < rest.endIndex
  }
}
