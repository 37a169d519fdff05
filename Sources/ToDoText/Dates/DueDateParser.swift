package import ToDoModel
import ToDoQuickAdd

/// Parses the value of `--due`.
///
/// | form | meaning |
/// | --- | --- |
/// | `today`, `tomorrow`, `yesterday` | the day |
/// | `fri`, `friday` | the first Friday after today |
/// | `next mon`, `next week` | the Monday of the week after this one; weeks begin on Monday |
/// | `weekend` | today if it is a Saturday or a Sunday, or else the next Saturday |
/// | `eow`, `eom`, `eoy`, `end of month` | the last day of the week, the month or the year |
/// | `christmas`, `easter monday` | the next such holiday |
/// | `KW 50` | the Monday of the week, in a locale whose language numbers them so |
/// | `3d`, `+1w`, `in 3 months`, `+1y` | the date that number of days, weeks, months or years after today |
/// | `+2h`, `90min`, `in 2 hours` | the time that number of hours or minutes after now, without seconds |
/// | `28 nov`, `nov 28`, `28.11.`, `28/11` | the next such day; with a weekday, the one of this year or the next that has it |
/// | `3rd`, `first mon of may` | the next such day |
/// | `28 nov 2027`, `28.11.2027`, `2027-11-28` | the day |
/// | `17:00`, `5pm`, `5:30 pm`, `noon`, `midnight` | the next occurrence of the time, today or tomorrow |
/// | `tonight`, `this evening` | 20:00 or 18:00 today; mornings begin at 9:00 and afternoons at 15:00 |
/// | any day above and a time or a part of the day, in either order | that time on that day; `mon 9` is 9:00 |
/// | `2026-05-01T17:00`, with `Z` or `+02:00` | ISO 8601; local time unless it has an offset |
///
/// Everything that the program prints is among these forms. `midnight` and `24:00` are the end of the day. Case and the
/// amount of white space are ignored. `TimeZoneRules.instant(at:)` resolves local times that do not exist or occur twice,
/// unless a zone abbreviation follows the time. English and the locale's language are understood.
package struct DueDateParser {
  /// The current time.
  package let now: Timestamp
  /// The user's time zone.
  package let zone: any TimeZoneRules
  private let reader: DueDateReader

  /// - Parameter locale: the user's locale, such as `de_DE`, on which also the order of `28/11` depends.
  package init(now: Timestamp, zone: any TimeZoneRules, locale: String = "") {
    self.init(now: now, zone: zone, reader: DueDateReader(locale: locale))
  }

  private init(now: Timestamp, zone: any TimeZoneRules, reader: DueDateReader) {
    self.now = now
    self.zone = zone
    self.reader = reader
  }

  /// The day in local time.
  package var today: CalendarDate { zone.localTime(at: now).date ?? .epoch }

  /// Returns a parser at another time.
  package func at(_ now: Timestamp) -> DueDateParser { DueDateParser(now: now, zone: zone, reader: reader) }

  /// Parses a due date.
  ///
  /// - Throws: `DueDateError` if the text has none of the forms.
  package func parse(_ text: String) throws -> DueDate {
    guard let due = reader.read(text, today: today, now: minute).flatMap(dueDate) else { throw error(for: text) }
    return due
  }

  /// Returns the due dates from one to another, or `nil` if the text is a time.
  ///
  /// - Throws: `DueDateError` if the text is neither days nor a time.
  func parseSpan(_ text: String) throws -> DueRange? {
    guard let span = reader.span(text, today: today, now: minute) else {
      _ = try parse(text)
      return nil
    }
    guard let range = range(span) else { throw error(for: text) }
    return range
  }

  /// Whether a text begins with a duration that can count from a time other than now.
  package func beginsWithDuration(_ text: String) -> Bool { reader.beginsWithDuration(text) }

  /// Returns a due date in the time zone, or `nil` outside the range that items can have.
  func dueDate(_ due: QuickAddReading.Due) -> DueDate? {
    switch due {
    case .day(let date): return .date(date)
    case .time(let date, let minutes):
      return supported(zone.instant(at: LocalTime(date, TimeOfDay(hour: 0, minute: minutes))))
    case .fromNow(let minutes): return time(minutesFromNow: minutes)
    case .exact(let date, let microseconds, let writtenZone):
      let local = LocalTime(date, TimeOfDay(microseconds: microseconds))
      switch writtenZone {
      case .offset(let seconds):
        return supported(Timestamp(microseconds: local.microseconds - Int64(seconds) * 1_000_000))
      case .name(let name): return instant(at: local, inZone: name).flatMap(supported)
      case nil: return supported(zone.instant(at: local))
      }
    }
  }

  // MARK: Times

  /// The minutes after midnight at which the next full minute begins, so that the current one has passed.
  var minute: Int { Int((zone.localTime(at: now).time.microseconds + 59_999_999) / 60_000_000) }

  /// Returns the instant of a local time with the offset that has an abbreviation, or `nil` if none has it then.
  private func instant(at local: LocalTime, inZone name: String) -> Timestamp? {
    let day = 86_400_000_000 as Int64
    let offsets = [-day, day].map { zone.offset(at: Timestamp(microseconds: local.microseconds + $0)) }
    return offsets.lazy.filter { $0.name.lowercased() == name }
      .map { (offset: $0, instant: Timestamp(microseconds: local.microseconds - $0.microseconds)) }
      .first { zone.offset(at: $0.instant) == $0.offset }?.instant
  }

  private func time(minutesFromNow minutes: Int) -> DueDate? {
    let (duration, isTooLong) = Int64(minutes).multipliedReportingOverflow(by: 60_000_000)
    let minute = now.microseconds - now.microseconds.flooredDivision(by: 60_000_000).remainder
    let (sum, isTooLate) = minute.addingReportingOverflow(duration)
    return isTooLong || isTooLate ? nil : supported(Timestamp(microseconds: sum))
  }

  private func supported(_ instant: Timestamp) -> DueDate? {
    Timestamp.supportedRange.contains(instant) ? .time(instant) : nil
  }

  // MARK: Spans

  private func range(_ span: DueSpan) -> DueRange? {
    let (start, end) = (span.start.flatMap(dueDate), span.end.flatMap(dueDate))
    guard (start == nil) == (span.start == nil), (end == nil) == (span.end == nil) else { return nil }
    var range = DueRange()
    (range.start, range.startDate) = bound(start)
    (range.end, range.endDate) = bound(end)
    return range
  }

  /// Returns a bound as a time and as a day. An item due on a day isn't before any time of that day.
  private func bound(_ due: DueDate?) -> (Timestamp?, CalendarDate?) {
    switch due {
    case .date(let day):
      let start = zone.instant(at: LocalTime(day, TimeOfDay(hour: 0)))
      return (Timestamp.supportedRange.contains(start) ? start : nil, day)
    case .time(let time): return (time, zone.localTime(at: time).date)
    case nil: return (nil, nil)
    }
  }

  // MARK: Errors

  private func error(for text: String) -> DueDateError {
    DueDateError(
      text: text,
      isAmbiguous: text.lowercased().split(whereSeparator: \.isWhitespace).contains(where: Self.isAmbiguous),
      correction: reader.correction(of: text, today: today, now: minute))
  }

  /// Whether a word is a number and `m`, which could be minutes or months.
  private static func isAmbiguous(_ word: Substring) -> Bool {
    let number = word.hasPrefix("+") ? word.dropFirst() : word
    return number.last == "m" && number.count > 1 && number.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
  }
}
