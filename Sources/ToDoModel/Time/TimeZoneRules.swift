/// The rules of a time zone.
package protocol TimeZoneRules: Sendable {
  /// Returns the offset from UTC that applies at an instant.
  func offset(at instant: Timestamp) -> ZoneOffset
}

/// The zone without an offset, which also takes the place of an unknown one.
package struct UTC: TimeZoneRules {
  /// Creates the zone.
  package init() {}

  package func offset(at instant: Timestamp) -> ZoneOffset { ZoneOffset(seconds: 0, name: "UTC") }
}

/// An offset from UTC with its abbreviation.
package struct ZoneOffset: Equatable, Sendable {
  /// The offset in seconds, positive east of Greenwich.
  package let seconds: Int
  /// The abbreviation, such as "CEST", or "+0545" if the zone has no abbreviation.
  package let name: String

  /// Creates an offset.
  package init(seconds: Int, name: String) {
    (self.seconds, self.name) = (seconds, name)
  }

  package var microseconds: Int64 { Int64(seconds) * 1_000_000 }
}

extension TimeZoneRules {
  /// Returns the local time at an instant.
  package func localTime(at instant: Timestamp) -> LocalTime {
    LocalTime(microseconds: instant.microseconds + offset(at: instant).microseconds)
  }

  /// Returns the instant of a local time.
  ///
  /// For a local time that occurs twice, because clocks are set back, returns the earlier instant. A local time that does
  /// not exist, because clocks are set forward, is moved by the length of the gap: 02:30 in a gap from 02:00 to 03:00
  /// becomes 03:30.
  package func instant(at local: LocalTime) -> Timestamp {
    let day = 86_400_000_000 as Int64
    let before = offset(at: Timestamp(microseconds: local.microseconds - day))
    let after = offset(at: Timestamp(microseconds: local.microseconds + day))
    let candidates = [before, after].map { Timestamp(microseconds: local.microseconds - $0.microseconds) }
    return candidates.filter { localTime(at: $0) == local }.min() ?? candidates[0]
  }
}
