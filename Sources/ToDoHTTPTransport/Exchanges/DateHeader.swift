#if HTTP
import Glibc
import Synchronization

/// The value of Date in responses, which is formatted once a second. Callable from any thread.
final class DateHeader: Sendable {
  private let now: @Sendable () -> Int64
  /// The last second, and its text.
  private let last = Mutex<(second: Int64, text: String)?>(nil)

  /// - Parameter now: returns the number of seconds since 1970.
  init(now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }) { self.now = now }

  /// The current time, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
  var text: String {
    let second = now()
    return last.withLock { last in
      if let last, last.second == second { return last.text }
      let text = Self.text(of: second)
      last = (second, text)
      return text
    }
  }

  private static func text(of second: Int64) -> String {
    var (time, parts) = (time_t(second), tm())
    gmtime_r(&time, &parts)
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
    let date = "\(digits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    return "\(days[Int(parts.tm_wday)]), \(date) \(clock) GMT"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
#endif
