package import ToDoModel

/// The due dates that postponed items get.
package struct Postponement {
  /// The new date or time as the user wrote it. `2d` and `+2h` count from each item's due date if that is yet to come,
  /// `in 2d` from now.
  private let text: String
  /// The parser for the current time.
  private let dates: DueDateParser

  /// Creates a postponement.
  ///
  /// - Parameter dates: the parser for the current time.
  package init(text: String, dates: DueDateParser) {
    (self.text, self.dates) = (text, dates)
  }

  /// Returns the new due date of an item. A day keeps the item's time of day, unless it has passed on that day.
  ///
  /// - Throws: `DueDateError`; `InvalidText` if the new due date has passed.
  package func due(after old: DueDate?) throws -> DueDate {
    var new = try dates.at(start(old)).parse(text)
    if let kept = new.keepingTime(of: old, in: dates.zone)?.due, !isPast(kept) { new = kept }
    guard !isPast(new) else {
      throw InvalidText(
        reason: "USAGE", description: "'\(text.escapingControls())' has passed; specify a later time")
    }
    return new
  }

  /// Returns the time from which the text counts.
  private func start(_ old: DueDate?) -> Timestamp {
    guard let old, dates.beginsWithDuration(text) else { return dates.now }
    switch old {
    case .time(let time): return max(time, dates.now)
    case .date(let day): return max(dates.zone.instant(at: LocalTime(day, TimeOfDay(hour: 0))), dates.now)
    }
  }

  private func isPast(_ due: DueDate) -> Bool {
    due.isOverdue(now: dates.now, today: dates.today)
  }
}
