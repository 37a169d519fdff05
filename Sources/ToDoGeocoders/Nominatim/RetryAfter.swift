#if Nominatim
import ToDoModel

/// The parser of the HTTP header `Retry-After` (RFC 9110, section 10.2.3): a number of seconds, or a date.
enum RetryAfter {
  /// The upper bound of a pause. Longer durations are reduced to it.
  static let maximum = Duration.seconds(24 * 3600)

  /// Returns the duration to wait, which is never negative, or `nil` if the text is malformed.
  static func duration(_ text: String, at now: Timestamp) -> Duration? {
    let text = text.trimmingWhitespace
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int64(text).map { min(.seconds($0), maximum) } ?? maximum
    }
    guard let date = Timestamp(httpDate: String(text)) else { return nil }
    return min(max(.zero, .microseconds(date.microseconds - now.microseconds)), maximum)
  }
}

extension Timestamp {
  /// Parses an HTTP date in the preferred format, `Sun, 06 Nov 1994 08:49:37 GMT`. Obsolete formats are not supported.
  init?(httpDate text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[5] == "GMT", parts[0].count == 4, parts[0].hasSuffix(","),
      let day = Int(parts[1]), let month = Self.months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
      let date = CalendarDate(year: year, month: month + 1, day: day)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    // 60 is a leap second.
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
      (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
    else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second
    self.init(microseconds: Int64(seconds) * 1_000_000)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
#endif
