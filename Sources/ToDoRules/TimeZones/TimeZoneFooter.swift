import ToDoModel

/// A time zone's rule for the times after the last one in its file, in the form of `TZ` in POSIX with the extensions of
/// RFC 9636: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneFooter: Sendable {
  private let standard: ZoneOffset
  private let summer: Summer?

  private struct Summer {
    let offset: ZoneOffset
    let start, end: Change
  }

  /// Reads a rule. Returns `nil` if it is damaged.
  init?(_ bytes: [UInt8]) {
    var reader = FooterReader(bytes)
    guard let name = reader.abbreviation(), let west = reader.time(maximumHours: 24) else { return nil }
    standard = ZoneOffset(seconds: -west, name: name)
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard let summerName = reader.abbreviation() else { return nil }
    var seconds = standard.seconds + 3600
    if !reader.isNext(",") {
      guard let west = reader.time(maximumHours: 24) else { return nil }
      seconds = -west
    }
    guard reader.skip(","), let start = reader.change(), reader.skip(","), let end = reader.change(), reader.isAtEnd
    else {
      return nil
    }
    summer = Summer(offset: ZoneOffset(seconds: seconds, name: summerName), start: start, end: end)
  }

  /// Returns the offset at a time in seconds since 1970-01-01.
  func offset(at second: Int64) -> ZoneOffset {
    guard let summer else { return standard }
    let day = (second + Int64(standard.seconds)).flooredDivision(by: 86_400).quotient
    guard let date = CalendarDate.epoch.adding(days: Int(day)) else { return standard }
    let start = summer.start.seconds(in: date.year) - Int64(standard.seconds)
    let end = summer.end.seconds(in: date.year) - Int64(summer.offset.seconds)
    // South of the equator, the summer ends before it starts.
    let isSummer = start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
    return isSummer ? summer.offset : standard
  }

  /// Whether a byte can be a part of an abbreviation.
  static func isAbbreviation(_ byte: UInt8) -> Bool {
    FooterReader.isLetter(byte) || FooterReader.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }
}

/// A day of each year, and the time on it at which the clocks change.
private struct Change {
  enum Day {
    /// The day 1...365, without 29 February.
    case julian(Int)
    /// The day 0...365.
    case ofYear(Int)
    /// A weekday (0 is Sunday) in a week 1...5 of a month; 5 is the last.
    case ofWeek(month: Int, week: Int, weekday: Int)
  }

  let day: Day
  /// The time in seconds after the start of the day.
  let time: Int

  /// Returns the local time in a year, in seconds since 1970-01-01.
  func seconds(in year: Int) -> Int64 { Int64(days(in: year) * 86_400 + time) }

  private func days(in year: Int) -> Int {
    func first(of month: Int) -> Int { CalendarDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0 }
    switch day {
    case .julian(let number):
      let isLeap = CalendarDate(year: year, month: 2, day: 29) != nil
      return first(of: 1) + number - (isLeap && number >= 60 ? 0 : 1)
    case .ofYear(let number): return first(of: 1) + number
    case .ofWeek(let month, let week, let weekday):
      let start = first(of: month)
      // 1970-01-01 was a Thursday.
      let firstWeekday = ((start + 4) % 7 + 7) % 7
      let day = start + (weekday - firstWeekday + 7) % 7 + 7 * (week - 1)
      let length = (month == 12 ? 31 : first(of: month + 1) - start)
      return day < start + length ? day : day - 7
    }
  }
}

/// Reads a rule from left to right.
private struct FooterReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads letters, or letters, digits and signs in angle brackets.
  mutating func abbreviation() -> String? {
    let isQuoted = skip("<")
    let name = rest.prefix(while: isQuoted ? TimeZoneFooter.isAbbreviation : Self.isLetter)
    rest = rest.dropFirst(name.count)
    guard (3...16).contains(name.count), !isQuoted || skip(">") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Reads a time in hours, minutes and seconds, with or without a sign.
  mutating func time(maximumHours: Int) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(), hours <= maximumHours else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where skip(":") {
      guard let number = number(), number < 60 else { return nil }
      seconds += number * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func change() -> Change? {
    guard let day = day() else { return nil }
    guard skip("/") else { return Change(day: day, time: 7200) }
    return time(maximumHours: 167).map { Change(day: day, time: $0) }
  }

  private mutating func day() -> Change.Day? {
    if skip("J") { return number().flatMap { (1...365).contains($0) ? .julian($0) : nil } }
    guard skip("M") else { return number().flatMap { (0...365).contains($0) ? .ofYear($0) : nil } }
    guard let month = number(), (1...12).contains(month), skip("."), let week = number(), (1...5).contains(week),
      skip("."),
      let weekday = number(), (0...6).contains(weekday)
    else { return nil }
    return .ofWeek(month: month, week: week, weekday: weekday)
  }

  private mutating func number() -> Int? {
    let digits = rest.prefix(while: Self.isDigit)
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
