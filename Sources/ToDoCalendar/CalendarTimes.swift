import ToDoModel

extension CalendarDate {
  /// The date as in `20261231`.
  var calendarText: String { digits(year, 4) + digits(month, 2) + digits(day, 2) }
}

extension LocalTime {
  /// The time as in `20261231T225959`. Times outside the years 1 to 9999 are the first of all.
  var calendarText: String {
    let seconds = Int(time.microseconds / 1_000_000)
    let date = date?.calendarText ?? "00010101"
    return "\(date)T\(digits(seconds / 3600, 2))\(digits(seconds / 60 % 60, 2))\(digits(seconds % 60, 2))"
  }
}

extension Timestamp {
  /// The time in UTC as in `20261231T225959Z`.
  var calendarText: String { LocalTime(microseconds: microseconds).calendarText + "Z" }
}

/// Returns a number in decimal, padded with zeros.
private func digits(_ number: Int, _ count: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, count - text.count)) + text
}
