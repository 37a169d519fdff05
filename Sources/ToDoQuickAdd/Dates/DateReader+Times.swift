/// A time of day as it is written.
struct TimeMatch: Equatable {
  /// The time in minutes after midnight.
  var minutes: Int
  /// The time after the minute.
  var microseconds: Int64 = 0
  /// The offset from UTC in seconds, positive east of Greenwich, or `nil` for local time.
  var offset: Int?
  /// Whether morning and evening are both possible: `at 5`, `half past 5`.
  var isOpen = false
  /// Whether it is the end of the working day, which ends today also after that time.
  var isEndOfDay = false
  /// Whether it is written as on a clock of twelve hours: `1:30`, not `01:30`.
  var isOfTwelveHours = false
  /// Whether only a word before it, such as `at`, makes a time of it: `5`.
  var isBare = false
  /// The position after the time.
  var end: Int
}

extension DateReader {
  /// Reads a time: `17:00`, `5pm`, `17 Uhr`, `half past 5`, `noon`. A number alone is bare.
  func time(_ position: Int) -> TimeMatch? {
    guard position < words.count, !words[position].isMark else { return nil }
    return times.value(at: position) {
      var match = anyTime(position)
      if !isDateOnly, let end = match?.end, words[end - 1].trailing.isEmpty, let sharp = skip(end, .sharp) {
        match?.end = sharp
      }
      return match
    }
  }

  private func anyTime(_ position: Int) -> TimeMatch? {
    if let match = clock(position) {
      // `midi et quart`
      if match.value == 720, let more = fractionAfter(match.end) {
        return TimeMatch(minutes: match.value + more.value, end: more.end)
      }
      return TimeMatch(minutes: match.value, isEndOfDay: skip(position, .endOfDay) != nil, end: match.end)
    }
    if words[position].key == "12", let match = clock(position + 1), match.value % 720 == 0 {
      // `12 noon`
      return TimeMatch(minutes: match.value, end: match.end)
    }
    return fraction(position) ?? numeric(position) ?? roughHour(position) ?? hourInWords(position)
  }

  /// Reads a number in digits or as a word.
  func number(_ position: Int) -> (value: Double, end: Int)? {
    guard position < words.count else { return nil }
    let word = words[position]
    if word.leading.isEmpty, word.beginsWithDigit, let number = Double(withPoint: word.key) {
      return (number, position + 1)
    }
    return take(position) { if case .number(let number) = $0 { number } else { nil } }
  }

  // MARK: Fractions of an hour

  /// Reads `half past 5`, `quarter to 9`, `20 past 4`, `halb 6`.
  private func fraction(_ position: Int) -> TimeMatch? {
    if let start = skip(position, .threeQuarters), let hour = hour(start) { return openTime(hour, minutes: -15) }
    if vocabulary.halfPrecedesHour, let start = skip(position, .quarter), words[position].isLowercase,
      let hour = hour(start), hour.value <= 12, hour.end == words.count || !words[start].beginsWithDigit
    {
      // `viertel acht`
      return openTime(hour, minutes: -45)
    }
    guard let part = partOfHour(position) else { return nil }
    if vocabulary.halfPrecedesHour, skip(position, .half) != nil, let hour = hour(part.end) {
      return openTime(hour, minutes: -30)
    }
    if !vocabulary.halfPrecedesHour, skip(position, .half) != nil,
      isBesideHalf(position, end: part.end), let hour = hour(part.end), hour.value <= 12
    {
      // `at half five`
      return openTime(hour, minutes: 30)
    }
    if let end = skip(part.end, .past), let hour = hour(end), hour.value <= 12 {
      return openTime(hour, minutes: part.minutes)
    }
    if part.minutes != 30, let end = skip(part.end, .to), let hour = hour(end), hour.value <= 12 {
      return isRangeOfHours(position, end) ? nil : openTime(hour, minutes: -part.minutes)
    }
    return nil
  }

  /// Whether `10 to 11` is as likely a range: two hours in digits, with no word such as `at` before them.
  private func isRangeOfHours(_ position: Int, _ end: Int) -> Bool {
    words[position].isNumber && words[end].isNumber && [5, 10].contains(number(position)?.value)
      && skip(position - 1, .beforeTime) != position
  }

  /// Whether `half five` is after a word such as `at` or a day, or before a day.
  private func isBesideHalf(_ position: Int, end: Int) -> Bool {
    if skip(position - 1, .beforeTime) == position { return true }
    // `half 4 optician thursday`
    if position == 0, hour(end) != nil, isHourOfDay(end) { return true }
    guard let hour = hour(end) else { return false }
    return [position - 1, hour.end].contains { position in
      relative(position) != nil || weekday(position) != nil
        || take(position) { if case .relativePart = $0 { true } else { nil } } != nil
    }
  }

  /// Whether a number is an hour of a sentence that has a day: it is in digits, and counts nothing.
  private func isHourOfDay(_ position: Int) -> Bool {
    guard words[position].isNumber, words[position].trailing.isEmpty, position + 1 < words.count,
      !isWord(position + 1, .measure), unit(position + 1) == nil
    else { return false }
    return words.indices.dropFirst(position + 1).contains { weekday($0) != nil || relative($0) != nil }
  }

  private func partOfHour(_ position: Int) -> (minutes: Int, end: Int)? {
    if let end = skip(position, .half) { return (30, end) }
    if let end = skip(position, .quarter) { return (15, end) }
    guard let (number, end) = number(position), (1..<30).contains(number), number == number.rounded() else {
      return nil
    }
    if let end = skip(end, .unit(.minute)) { return (Int(number), end) }
    // `9 to 5` is a range.
    return [5, 10, 20, 25].contains(number) ? (Int(number), end) : nil
  }

  private func openTime(_ hour: (value: Int, end: Int), minutes: Int) -> TimeMatch {
    TimeMatch(minutes: hour.value * 60 + minutes, isOpen: hour.value <= 12, end: skip(hour.end, .oClock) ?? hour.end)
  }

  // MARK: Hours

  /// Reads an hour in digits or as a word, which has no capital letter.
  private func hour(_ position: Int) -> (value: Int, end: Int)? {
    guard let (number, end) = number(position), number == number.rounded(), (1...24).contains(number),
      words[position].key != "a", position == 0 || words[position].isLowercase
    else { return nil }
    return (Int(number), end)
  }

  /// Reads `five pm`, `five o'clock`, `fünf Uhr`, `nueve y media`, or, bare, `five`.
  private func hourInWords(_ position: Int) -> TimeMatch? {
    guard !words[position].beginsWithDigit, let hour = hour(position), hour.value <= 12 else { return nil }
    if let half = half(hour.end) { return TimeMatch(minutes: hour.value % 12 * 60 + half.value, end: half.end) }
    if let end = skip(hour.end, .oClock) {
      let more = fractionAfter(end) ?? (0, end)
      return TimeMatch(minutes: hour.value * 60 + more.value, isOpen: true, end: more.end)
    }
    // `six thirty`
    if let minutes = number(hour.end), !words[hour.end].beginsWithDigit, [15, 20, 30, 45].contains(minutes.value) {
      let minutes = (value: hour.value * 60 + Int(minutes.value), end: minutes.end)
      if let half = half(minutes.end) { return TimeMatch(minutes: minutes.value % 720 + half.value, end: half.end) }
      return TimeMatch(minutes: minutes.value, isOpen: true, isBare: true, end: minutes.end)
    }
    if let more = fractionAfter(hour.end) {
      return TimeMatch(minutes: hour.value * 60 + more.value, isOpen: true, end: more.end)
    }
    return TimeMatch(minutes: hour.value * 60, isOpen: true, isBare: true, end: hour.end)
  }

  /// Reads `5ish`.
  private func roughHour(_ position: Int) -> TimeMatch? {
    let key = words[position].key
    let digits = key.prefix { $0.isNumber || $0 == ":" }
    guard let time = Self.clock(String(digits)), digits.count < 6, (60..<780).contains(time.minutes),
      vocabulary.isWord(String(key.dropFirst(digits.count)), .hourSuffix)
    else { return nil }
    return TimeMatch(minutes: time.minutes, isOpen: true, end: position + 1)
  }

  /// Reads a time that begins with digits, and the words after it that belong to it.
  private func numeric(_ position: Int) -> TimeMatch? {
    let word = words[position]
    guard var match = Self.clock(romanceKey(position)), isDateOnly || match.offset == nil else { return nil }
    // `grep for 10:42:07`, `beat 1:30:00`
    if !isDateOnly, word.key.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 { return nil }
    match.end = position + 1
    match.isOfTwelveHours = match.minutes < 720 && isOfTwelveHours(word.key)
    guard word.trailing.isEmpty || (word.trailing == "." && match.isBare) else { return match }
    if let half = half(match.end), (60..<13 * 60).contains(match.minutes) {
      return TimeMatch(minutes: match.minutes % 720 + half.value, end: half.end)
    }
    if (word.key.utf8.count == 4 && word.isNumber) || word.key.contains(":"), match.end < words.count,
      ["hrs", "hours"].contains(words[match.end].key)
    {
      return TimeMatch(minutes: match.minutes, end: match.end + 1)
    }
    if word.trailing.isEmpty, let end = skip(match.end, .oClock) {
      if let minutes = minutesAfter(end) {
        return TimeMatch(minutes: match.minutes + minutes.value, end: minutes.end)
      }
      // `9 Uhr` is an hour of 24, `9 o'clock` one of 12.
      let isOpen = words[match.end].key.hasPrefix("o") && match.minutes <= 12 * 60
      let more = fractionAfter(end) ?? (0, end)
      return TimeMatch(minutes: match.minutes + more.value, isOpen: isOpen, end: more.end)
    }
    if match.isBare, let more = fractionAfter(match.end) {
      return TimeMatch(minutes: match.minutes + more.value, isOpen: match.minutes <= 720, end: more.end)
    }
    return match
  }

  /// Returns a word as it is written elsewhere: `15,30` after `alle`, and `h15:30`.
  private func romanceKey(_ position: Int) -> String {
    let key = words[position].key
    guard vocabulary.capitalDays == .never else { return key }
    if key.contains(","), position > 0, ["alle", "ore", "dalle", "las", "la"].contains(words[position - 1].key) {
      return key.replacing(",", with: ".")
    }
    guard key.hasPrefix("h"), words[position].isLowercase, key.utf8.count > 2 else { return key }
    // `h21` is an hour of the day
    return String(key.dropFirst()) + (key.utf8.count == 3 ? ":00" : "")
  }

  private func isOfTwelveHours(_ key: String) -> Bool {
    vocabulary.hasTwelveHours && !isDateOnly && !key.hasPrefix("0") && (key.contains(":") || key.contains("."))
      && key.allSatisfy { $0.isNumber || $0 == ":" || $0 == "." }
  }

  /// Reads `am` or `pm` as the minutes that it adds. `a` and `p` count only in one word with the hour, `am` not before a day, as
  /// it is German there.
  func half(_ position: Int) -> (value: Int, end: Int)? {
    guard let match = take(position, { $0 == .am ? 0 : $0 == .pm ? 720 : nil }), words[position].key.count > 1,
      skip(position, .beforeDay) == nil || day(match.end) == nil
    else { return nil }
    return match
  }

  /// Reads the minutes after `Uhr`.
  private func minutesAfter(_ position: Int) -> (value: Int, end: Int)? {
    guard position < words.count, words[position].isNumber, words[position].key.count == 2,
      words[position - 1].trailing.isEmpty, skip(position + 1, .unit(.minute)) == nil,
      let minutes = Int(words[position].key), minutes < 60
    else { return nil }
    return (minutes, position + 1)
  }

  /// Reads `y media`, `e un quarto` or `menos cuarto`.
  private func fractionAfter(_ position: Int) -> (value: Int, end: Int)? {
    if position < words.count, ["menos", "meno", "moins"].contains(words[position].key) {
      if let end = skip(position + 1, .quarter) { return (-15, end) }
      return number(position + 1).flatMap { [5, 10, 20, 25].contains($0.value) ? (-Int($0.value), $0.end) : nil }
    }
    guard let end = skip(position, .and) else { return nil }
    if let end = skip(end, .half) { return (30, end) }
    // `alle 15 e 30`
    if vocabulary.capitalDays == .never, position > 1,
      skip(position - 2, .at) == position - 1 || ["las", "le"].contains(words[position - 2].key),
      let minutes = number(end), words[end].isNumber, minutes.value < 60,
      minutes.value.truncatingRemainder(dividingBy: 5) == 0,
      minutes.end == words.count || !words[end].trailing.isEmpty
    {
      return (Int(minutes.value), minutes.end)
    }
    return skip(end, .quarter).map { (15, $0) }
  }

  // MARK: One word

  /// Parses `17:00`, `17:00:30.5+02:00`, `9.30am`, `17h30`, `5pm`, `5p`, `1430` or `17`, in lower case. The result has no end.
  static func clock(_ key: String) -> TimeMatch? {
    if key.utf8.count == 4, let number = Int(key), number / 100 < 24, number % 100 < 60, !(1900..<2100).contains(number)
    {
      return TimeMatch(minutes: number / 100 * 60 + number % 100, isBare: true, end: 0)
    }
    if let time = clockWithoutColon(key) { return time }
    var rest = key[...]
    guard let hour = rest.takeNumber(digits: 1...2), hour <= 24, let minute = minute(&rest, hour: hour) else {
      return nil
    }
    let minutes = hour * 60 + minute.value
    switch rest {
    case "":
      let isOpen = minute.isBare && key.utf8.count <= 2 && !key.hasSuffix("h") && (1...12).contains(hour)
      guard minutes < 1440 || (minutes == 1440 && minute.microseconds == 0) else { return nil }
      return TimeMatch(
        minutes: minutes, microseconds: minute.microseconds, isOpen: isOpen, isBare: minute.isBare, end: 0)
    case "am", "a.m", "a": return (1...12).contains(hour) ? TimeMatch(minutes: minutes % 720, end: 0) : nil
    case "pm", "p.m", "p": return (1...12).contains(hour) ? TimeMatch(minutes: minutes % 720 + 720, end: 0) : nil
    case "uhr": return TimeMatch(minutes: minutes, end: 0)
    // `15:30h`, but not `1:30h`, which lasts so long
    case "h" where key.utf8.count > 4 && hour >= 7: return minutes < 1440 ? TimeMatch(minutes: minutes, end: 0) : nil
    default:
      guard key.contains(":"), let offset = utcOffset(rest) else { return nil }
      return TimeMatch(minutes: minutes, microseconds: minute.microseconds, offset: offset, end: 0)
    }
  }

  /// Parses `730pm`.
  private static func clockWithoutColon(_ key: String) -> TimeMatch? {
    guard key.hasSuffix("m"), let number = Int(key.dropLast(2)), (100...1259).contains(number) else { return nil }
    let (hour, minute) = (number / 100, number % 100)
    guard (1...12).contains(hour), minute < 60, key.hasSuffix("am") || key.hasSuffix("pm") else { return nil }
    return TimeMatch(minutes: hour % 12 * 60 + minute + (key.hasSuffix("pm") ? 720 : 0), end: 0)
  }

  /// Parses `z`, `+02:00`, `+0200` or `+02`, of at most 18 hours, the limit of the time zone database.
  static func utcOffset(_ text: Substring) -> Int? {
    if text == "z" { return 0 }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let rest = text.dropFirst()
    let fields = rest.count == 4 ? [rest.prefix(2), rest.suffix(2)] : rest.split(separator: ":", maxSplits: 1)
    guard (1...2).contains(fields.count), rest.count == fields.count * 3 - 1 || rest.count == 4,
      fields.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let hours = Int(fields[0]), let minutes = fields.count == 1 ? 0 : Int(fields[1]), minutes < 60,
      hours * 60 + minutes <= 18 * 60
    else { return nil }
    return (sign == "-" ? -60 : 60) * (hours * 60 + minutes)
  }

  /// Consumes the minutes after an hour: `:00`, `:00:30`, `.30`, `h30`, `h`, or nothing.
  ///
  /// - Returns: `nil` if something else follows. A point separates only before `am` or `pm`, or after `at`; `h` alone makes an
  ///   hour of 13 to 23 only.
  private static func minute(
    _ rest: inout Substring, hour: Int
  ) -> (value: Int, microseconds: Int64, isBare: Bool)? {
    guard let separator = rest.first, [":", ".", "h"].contains(separator) else { return (0, 0, true) }
    var after = rest.dropFirst()
    guard let minute = after.takeMinute() else {
      guard separator == "h", after.isEmpty else { return nil }
      rest = after
      return (0, 0, !(13...23).contains(hour))
    }
    var microseconds = 0 as Int64
    if after.first == ":" {
      guard let seconds = seconds(&after) else { return nil }
      microseconds = seconds
    }
    rest = after
    return (minute, microseconds, separator == ".")
  }

  /// Consumes `:30` or `:30.25`, and returns it in microseconds. Further digits are dropped.
  private static func seconds(_ rest: inout Substring) -> Int64? {
    rest.removeFirst()
    guard let second = rest.takeMinute() else { return nil }
    guard rest.first == "." else { return Int64(second) * 1_000_000 }
    rest.removeFirst()
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(digits.count)
    let fraction = Int64(digits.prefix(6) + String(repeating: "0", count: max(0, 6 - digits.count)))
    return digits.isEmpty ? nil : fraction.map { Int64(second) * 1_000_000 + $0 }
  }
}

extension Substring {
  /// Consumes two digits below 60.
  fileprivate mutating func takeMinute() -> Int? {
    var rest = self
    guard let number = rest.takeNumber(digits: 2...2), number < 60 else { return nil }
    self = rest
    return number
  }
}

extension Double {
  /// Parses digits with a point or a comma before their fraction.
  init?(withPoint text: some StringProtocol) {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C }) else { return nil }
    guard let comma = text.utf8.firstIndex(of: 0x2C) else {
      self.init(String(text))
      return
    }
    self.init("\(text[..<comma]).\(text[text.index(after: comma)...])")
  }
}
