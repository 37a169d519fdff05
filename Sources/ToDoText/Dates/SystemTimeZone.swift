import Glibc
package import ToDoModel

/// The time zone of the process, from `TZ` or the system's configuration.
///
/// The implementation uses the C library rather than Foundation, because the C library accepts every form of `TZ`, provides
/// the usual abbreviations ("CEST", not "GMT+2") and does not load the data of ICU.
package struct SystemTimeZone: TimeZoneRules {
  /// Reads `TZ` from the environment.
  package init() {
    // localtime_r does not necessarily read TZ.
    tzset()
  }

  package func offset(at instant: Timestamp) -> ZoneOffset {
    var seconds = time_t(instant.microseconds.flooredDivision(by: 1_000_000).quotient)
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil else { return ZoneOffset(seconds: 0, name: "UTC") }
    return ZoneOffset(seconds: Int(fields.tm_gmtoff), name: fields.tm_zone.map { String(cString: $0) } ?? "")
  }
}
