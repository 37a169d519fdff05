package import ToDoModel

/// A day of the week; weeks begin on Monday.
package enum Weekday: Int, CaseIterable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// Creates the day of the week on which a date falls.
  package init(of date: CalendarDate) {
    self = Self.allCases[date.weekday]
  }

  /// The abbreviation, such as `Fri`.
  var shortName: String { name.prefix(1).uppercased() + name.dropFirst().prefix(2) }

  private var name: String { String(describing: self) }
}
