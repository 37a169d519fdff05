import ToDoModel

/// What the clocks of a person's time zone show at any instant.
protocol TimeZoneRules: Sendable {
  /// The difference from UTC that applies at an instant.
  func offset(at instant: Timestamp) -> ZoneOffset
}

/// A difference from UTC and what people call it.
struct ZoneOffset: Equatable, Sendable {
  /// Positive east of Greenwich.
  let seconds: Int
  /// As in "CEST", or "+0545" where there is no name.
  let name: String

  var microseconds: Int64 { Int64(seconds) * 1_000_000 }
}

extension TimeZoneRules {
  /// What the clocks show at an instant.
  func localTime(at instant: Timestamp) -> LocalTime {
    LocalTime(microseconds: instant.microseconds + offset(at: instant).microseconds)
  }

  /// The instant at which the clocks show a time.
  ///
  /// Where the clocks are put back and show it twice, the earlier one. Where they are put forward and skip it, the
  /// instant as far after the change as the time lies after the beginning of the gap: 02:30 in a gap from 02:00 to
  /// 03:00 becomes 03:30.
  func instant(at local: LocalTime) -> Timestamp {
    let day = 86_400_000_000 as Int64
    let before = offset(at: Timestamp(microseconds: local.microseconds - day))
    let after = offset(at: Timestamp(microseconds: local.microseconds + day))
    let candidates = [before, after].map { Timestamp(microseconds: local.microseconds - $0.microseconds) }
    return candidates.filter { localTime(at: $0) == local }.min() ?? candidates[0]
  }
}
