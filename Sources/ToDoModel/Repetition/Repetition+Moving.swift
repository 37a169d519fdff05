extension Repetition {
  /// Returns the repetition for an item whose due date moves, with this and all following occurrences, or `nil` if the rule
  /// cannot follow.
  ///
  /// The one day of `BYDAY` or `BYMONTHDAY` that stands for the old date becomes that of the new date, and so does its month of
  /// `BYMONTH` in a yearly rule. A rule without them follows by its start alone. A monthly rule that moves to a day after the 28th
  /// falls on the last day of shorter months. `COUNT` decreases by the number of earlier occurrences.
  ///
  /// - Parameters:
  ///   - old: the due date of an occurrence. If that has moved before, `occurrence` counts instead.
  ///   - new: its new due date.
  ///   - zone: the time zone with the name `timeZone`.
  /// - Returns: the repetition without a start, which the service sets to the new due date.
  package func moved(from old: DueDate, to new: DueDate, in zone: any TimeZoneRules) -> Repetition? {
    var moved = self
    (moved.start, moved.occurrence) = (nil, nil)
    guard case .calendar(var rule) = rule else { return moved }
    guard let oldDate = (occurrence ?? old).date(in: zone), let newDate = new.date(in: zone) else { return nil }
    if case .count(let count) = rule.end {
      let earlier = Occurrences(of: rule, from: start ?? old, in: zone)?.count(before: oldDate) ?? 0
      guard earlier < count else { return nil }
      rule.end = .count(count - earlier)
    }
    let skipsMonths = rule.monthDays.contains { abs($0) > 28 }
    guard oldDate == newDate || rule.follow(from: oldDate, to: newDate) else { return nil }
    // As in `every month on the 31st`. A rule that already had such a day was written to omit the months that lack it.
    if rule.frequency == .monthly, !skipsMonths, rule.monthDays.contains(where: { $0 > 28 }) {
      rule.clampsMonthDays = true
    }
    moved.rule = .calendar(rule.canonical)
    if oldDate.day <= 28 { moved.rule = moved.rule.keepingDay(of: newDate) }
    return moved
  }
}

extension Repetition.Rule {
  /// Returns the rule of an item that is first due on a date.
  ///
  /// A rule in months or years that names no days falls on the last day of a month that lacks the date's day, as in
  /// `every month on the 31st`. Other rules stay as they are.
  package func keepingDay(of first: CalendarDate) -> Repetition.Rule {
    guard case .calendar(var rule) = self, rule.weekdays.isEmpty, rule.monthDays.isEmpty, rule.months.isEmpty,
      first.day > 28, rule.frequency == .monthly || rule.frequency == .yearly && first.month == 2
    else { return self }
    (rule.monthDays, rule.clampsMonthDays) = ([first.day], true)
    if rule.frequency == .yearly { rule.months = [2] }
    return .calendar(rule)
  }
}

extension RecurrenceRule {
  /// Replaces the old date by the new one. Returns whether the rule then describes the new date.
  fileprivate mutating func follow(from old: CalendarDate, to new: CalendarDate) -> Bool {
    guard monthDays.isEmpty || weekdays.isEmpty else { return false }
    if frequency == .yearly, !months.isEmpty, old.month != new.month {
      guard let index = months.firstIndex(of: old.month), !months.contains(new.month) else { return false }
      months[index] = new.month
    }
    guard followMonthDay(from: old, to: new), followWeekday(from: old, to: new) else { return false }
    return months.isEmpty || months.contains(new.month)
  }

  private mutating func followMonthDay(from old: CalendarDate, to new: CalendarDate) -> Bool {
    guard !monthDays.isEmpty else { return true }
    let length = old.monthLength
    let matches = monthDays.indices.filter { index in
      let day = monthDays[index]
      return day == old.day || length + day + 1 == old.day
        || (clampsMonthDays && day > length && old.day == length)
    }
    guard matches.count == 1, let index = matches.first else { return false }
    var others = monthDays
    others.remove(at: index)
    guard !others.contains(new.day), !others.contains(new.day - new.monthLength - 1) else { return false }
    monthDays[index] = new.day
    return true
  }

  private mutating func followWeekday(from old: CalendarDate, to new: CalendarDate) -> Bool {
    guard !weekdays.isEmpty else { return true }
    // A day is counted in the year, and its number says little about the date.
    if frequency == .yearly, months.isEmpty, weekdays.contains(where: { $0.ordinal != 0 }) { return false }
    let matches = weekdays.indices.filter { weekdays[$0].stands(for: old) }
    guard matches.count == 1, let index = matches.first else { return false }
    var weekday = Weekday(new.weekday)
    if weekdays[index].ordinal != 0 {
      let isLast = new.day + 7 > new.monthLength
      // Few months have a fifth such day.
      weekday.ordinal = isLast && (weekdays[index].ordinal < 0 || new.day > 28) ? -1 : (new.day - 1) / 7 + 1
    }
    var others = weekdays
    others.remove(at: index)
    guard !others.contains(where: { $0.stands(for: new) }) else { return false }
    weekdays[index] = weekday
    return true
  }
}

extension RecurrenceRule.Weekday {
  /// Whether a date is this day of the week, with this number in its month.
  fileprivate func stands(for date: CalendarDate) -> Bool {
    guard day == date.weekday else { return false }
    guard ordinal != 0 else { return true }
    return ordinal == (date.day - 1) / 7 + 1 || -ordinal == (date.monthLength - date.day) / 7 + 1
  }
}

extension CalendarDate {
  /// The number of days in the month.
  fileprivate var monthLength: Int {
    (29...31).last { CalendarDate(year: year, month: month, day: $0) != nil } ?? 28
  }
}
