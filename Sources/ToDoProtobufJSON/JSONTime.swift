import ToDoProtobuf

/// A `google.protobuf.Timestamp` or `google.protobuf.Duration`, both of which consist of seconds and nanoseconds.
struct JSONTime: Equatable {
  var seconds: Int64 = 0
  /// Has the sign of the seconds in a duration, and is never negative in a timestamp.
  var nanoseconds: Int32 = 0

  /// The seconds of the years 1 to 9999, and those of durations.
  static let timestamps: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  static let durations: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Appends the message.
  func write(to message: inout ByteWriter) {
    for (number, value) in [(UInt32(1), seconds), (2, Int64(nanoseconds))] where value != 0 {
      message.appendTag(number, .varint)
      message.appendVarint(UInt64(bitPattern: value))
    }
  }

  /// Reads a message's fields. `nil` if they are not valid.
  init?(message: UnsafeRawBufferPointer) {
    var reader = WireReader(message)
    while !reader.isAtEnd {
      guard let tag = reader.varint(), tag & 7 == 0, let value = reader.varint() else { return nil }
      switch tag >> 3 {
      case 1: seconds = Int64(bitPattern: value)
      case 2: nanoseconds = Int32(truncatingIfNeeded: value)
      default: return nil
      }
    }
  }
}

// MARK: - Timestamps

extension JSONTime {
  /// Reads a time of RFC 3339, with capital letters and at most nine digits of a fraction.
  init?(timestamp text: UnsafeRawBufferPointer) {
    var rest = Characters(text)
    guard let year = rest.number(digits: 4), rest.skip("-"), let month = rest.number(digits: 2), rest.skip("-"),
      let day = rest.number(digits: 2), rest.skip("T"), let hour = rest.number(digits: 2), rest.skip(":"),
      let minute = rest.number(digits: 2), rest.skip(":"), let second = rest.number(digits: 2),
      (1...12).contains(month), day >= 1, day <= Self.days(of: month, in: year), hour < 24, minute < 60, second < 60,
      let nanoseconds = rest.fraction(), let offset = rest.offset(), rest.isEmpty
    else { return nil }
    seconds = Self.daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    self.nanoseconds = nanoseconds
    guard year >= 1, Self.timestamps.contains(seconds) else { return nil }
  }

  private var isTimestamp: Bool {
    Self.timestamps.contains(seconds) && (0...999_999_999).contains(nanoseconds)
  }

  /// Appends the time in UTC with 0, 3, 6 or 9 digits of a fraction, in quotes.
  func writeTimestamp(to json: inout ByteWriter) throws(MessageJSONError) {
    guard isTimestamp else { throw .hasNoForm }
    let isBefore = seconds % 86_400 < 0
    let date = Self.date(daysSince1970: seconds / 86_400 - (isBefore ? 1 : 0))
    let second = seconds % 86_400 + (isBefore ? 86_400 : 0)
    json.append(character: "\"")
    json.appendDecimal(UInt64(date.year), minimumDigits: 4)
    for (separator, number) in [
      ("-", date.month), ("-", date.day), ("T", second / 3600), (":", second / 60 % 60), (":", second % 60),
    ] as [(Unicode.Scalar, Int64)] {
      json.append(character: separator)
      json.appendDecimal(UInt64(number), minimumDigits: 2)
    }
    writeFraction(to: &json)
    json.append(text: "Z\"")
  }

  private static func days(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Counts from March, so that a leap day is the last day of its year. 400 years have 146,097 days.
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = month > 2 ? month - 3 : month + 9
    return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + (marchMonth * 153 + 2) / 5 + day
      - 719_469
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = days + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (dayOfYear * 5 + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, dayOfYear - (marchMonth * 153 + 2) / 5 + 1)
  }
}

// MARK: - Durations

extension JSONTime {
  /// Reads seconds with at most nine digits of a fraction, and the letter s.
  init?(duration text: UnsafeRawBufferPointer) {
    var rest = Characters(text)
    let isNegative = rest.skip("-")
    guard let seconds = rest.number(), let nanoseconds = rest.fraction(), rest.skip("s"), rest.isEmpty else {
      return nil
    }
    self.init(seconds: isNegative ? -seconds : seconds, nanoseconds: isNegative ? -nanoseconds : nanoseconds)
    guard isDuration else { return nil }
  }

  private var isDuration: Bool {
    Self.durations.contains(seconds) && (-999_999_999...999_999_999).contains(nanoseconds)
      && (seconds.magnitude < Self.durations.upperBound || nanoseconds == 0)
      && (seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0))
  }

  /// Appends the seconds with 0, 3, 6 or 9 digits of a fraction, in quotes.
  func writeDuration(to json: inout ByteWriter) throws(MessageJSONError) {
    guard isDuration else { throw .hasNoForm }
    json.append(text: seconds < 0 || nanoseconds < 0 ? "\"-" : "\"")
    json.appendDecimal(seconds.magnitude)
    writeFraction(to: &json)
    json.append(text: "s\"")
  }

  private func writeFraction(to json: inout ByteWriter) {
    let fraction = UInt64(nanoseconds.magnitude)
    guard fraction != 0 else { return }
    json.append(character: ".")
    if fraction % 1_000_000 == 0 {
      json.appendDecimal(fraction / 1_000_000, minimumDigits: 3)
    } else if fraction % 1000 == 0 {
      json.appendDecimal(fraction / 1000, minimumDigits: 6)
    } else {
      json.appendDecimal(fraction, minimumDigits: 9)
    }
  }
}

// MARK: - Characters

/// The rest of a text.
private struct Characters {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ text: UnsafeRawBufferPointer) { rest = text[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digit() -> Int64? {
    guard let byte = rest.first, byte.isDigit else { return nil }
    rest.removeFirst()
    return Int64(byte - UInt8(ascii: "0"))
  }

  /// Reads a number of exactly some digits.
  mutating func number(digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads a number of one to twelve digits.
  mutating func number() -> Int64? {
    guard var value = digit() else { return nil }
    for _ in 0..<11 {
      guard let digit = digit() else { break }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads a point and one to nine digits as nanoseconds. 0 without a point.
  mutating func fraction() -> Int32? {
    guard skip(".") else { return 0 }
    guard var value = digit() else { return nil }
    for _ in 0..<8 { value = value * 10 + (digit() ?? 0) }
    return Int32(value)
  }

  /// Reads an offset from UTC in seconds.
  mutating func offset() -> Int64? {
    if skip("Z") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2), hours < 24,
      minutes < 60
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
