/// A time of day as users write it, with an optional offset from UTC.
struct ClockTime: Equatable {
  let time: TimeOfDay
  /// The offset from UTC in seconds, positive east of Greenwich, or `nil` for local time.
  let offset: Int?

  /// Consumes a time from the words: one word, or two for `5 pm` and `17:00 +02:00`.
  init?(_ words: inout Words) {
    let two = words.takeTwo { Self($0 + $1) }
    guard let time = two ?? words.take({ Self($0) }) else { return nil }
    self = time
  }

  /// Parses the number of an hour: `9` or `17`.
  init?(hour word: Substring) {
    var rest = word
    guard word.count <= 2, let hour = rest.takeNumber(), rest.isEmpty, hour < 24 else { return nil }
    (time, offset) = (TimeOfDay(hour: hour), nil)
  }

  /// Parses one word: `17:00`, `17:00:30.5Z`, `5pm`, `noon`, `midnight`.
  init?(_ word: Substring) {
    var rest = word
    guard let time = Self.named(&rest) ?? Self.twelveHours(&rest) ?? Self.twentyFourHours(&rest) else { return nil }
    self.time = time
    if rest.isEmpty {
      offset = nil
    } else {
      guard let seconds = Self.offset(rest) else { return nil }
      offset = seconds
    }
  }

  private static func named(_ rest: inout Substring) -> TimeOfDay? {
    if rest.take("noon") { return TimeOfDay(hour: 12) }
    return rest.take("midnight") ? TimeOfDay(hour: 24) : nil
  }

  private static func twelveHours(_ rest: inout Substring) -> TimeOfDay? {
    var text = rest
    guard let hour = text.takeNumber(), (1...12).contains(hour) else { return nil }
    var minute = 0
    if text.take(":") {
      guard let number = text.takeNumber(digits: 2), number < 60 else { return nil }
      minute = number
    }
    guard let half = text.take("am") ? 0 : text.take("pm") ? 12 : nil else { return nil }
    rest = text
    return TimeOfDay(hour: hour % 12 + half, minute: minute)
  }

  private static func twentyFourHours(_ rest: inout Substring) -> TimeOfDay? {
    guard let hour = rest.takeNumber(), rest.take(":"), let minute = rest.takeNumber(digits: 2), minute < 60 else {
      return nil
    }
    var second = 0
    var microsecond = 0
    if rest.take(":") {
      guard let number = rest.takeNumber(digits: 2), number < 60 else { return nil }
      second = number
      if rest.take(".") {
        guard let fraction = takeFraction(&rest) else { return nil }
        microsecond = fraction
      }
    }
    let isEndOfDay = (hour, minute, second, microsecond) == (24, 0, 0, 0)
    guard hour < 24 || isEndOfDay else { return nil }
    return TimeOfDay(hour: hour, minute: minute, second: second, microsecond: microsecond)
  }

  /// Consumes the digits after the decimal point, and truncates them to microseconds.
  private static func takeFraction(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(digits.count)
    return digits.isEmpty ? nil : Int(digits.prefix(6) + String(repeating: "0", count: max(0, 6 - digits.count)))
  }

  /// Parses `z`, `+02:00`, `+0200` or `+02`, of at most 18 hours, the limit of the time zone database.
  private static func offset(_ text: Substring) -> Int? {
    if text == "z" { return 0 }
    var rest = text
    guard let sign = rest.take("+") ? 1 : rest.take("-") ? -1 : nil, let hours = rest.takeNumber(digits: 2) else {
      return nil
    }
    let hasColon = rest.take(":")
    let minutes = rest.isEmpty && !hasColon ? 0 : rest.takeNumber(digits: 2)
    guard let minutes, rest.isEmpty, minutes < 60, hours * 60 + minutes <= 18 * 60 else { return nil }
    return sign * (hours * 60 + minutes) * 60
  }
}
