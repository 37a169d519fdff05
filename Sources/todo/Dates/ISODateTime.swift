import ToDoModel

/// An ISO 8601 date, with an optional time in the same word: `2026-05-01`, `2026-05-01t17:00z`.
struct ISODateTime: Equatable {
  let date: CalendarDate
  let clock: ClockTime?

  /// The date, if the word has no time.
  var day: CalendarDate? { clock == nil ? date : nil }

  /// Parses one lowercase word.
  init?(_ word: Substring) {
    var rest = word
    guard let year = rest.takeNumber(digits: 4), rest.take("-"), let month = rest.takeNumber(digits: 2), rest.take("-"),
      let day = rest.takeNumber(digits: 2), let date = CalendarDate(year: year, month: month, day: day)
    else { return nil }
    self.date = date
    if rest.isEmpty {
      clock = nil
    } else {
      guard rest.take("t"), let time = ClockTime(rest) else { return nil }
      clock = time
    }
  }
}
