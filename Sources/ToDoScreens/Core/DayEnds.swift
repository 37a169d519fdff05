package import ToDoModel

/// The instants at which days end in local time, up to a change of the clocks after the next one.
package struct DayEnds: Equatable, Sendable {
  /// The offset of local time from UTC, in seconds, when a day before `changeDay` ends, and from then on.
  private let before, after: Int
  /// The first day, in days since 1970-01-01, that ends after the next change of the clocks.
  private let changeDay: Int

  /// The ends of days in UTC.
  package static let utc = DayEnds(before: 0, after: 0, changeDay: .max)

  /// Creates the ends of days in a time zone. A change of the clocks counts if it is at most a number of days away.
  package init(in zone: any TimeZoneRules, from today: CalendarDate, days: Int) {
    let offsets = (0...days).map { Self.offset(atEndOf: today.daysSinceEpoch + $0, in: zone) }
    let change = offsets.firstIndex { $0 != offsets[0] }
    self.init(
      before: offsets[0], after: change.map { offsets[$0] } ?? offsets[0],
      changeDay: change.map { today.daysSinceEpoch + $0 } ?? .max)
  }

  private init(before: Int, after: Int, changeDay: Int) {
    (self.before, self.after, self.changeDay) = (before, after, changeDay)
  }

  private static func offset(atEndOf day: Int, in zone: any TimeZoneRules) -> Int {
    let midnight = LocalTime(microseconds: Int64(day + 1) * 86_400_000_000)
    return Int((midnight.microseconds - zone.instant(at: midnight).microseconds) / 1_000_000)
  }

  /// Returns the instant at which a day ends.
  ///
  /// - Parameter day: the day, in days since 1970-01-01.
  func end(of day: Int) -> Timestamp {
    let offset = day < changeDay ? before : after
    return Timestamp(microseconds: (Int64(day + 1) * 86_400 - Int64(offset)) * 1_000_000)
  }
}
