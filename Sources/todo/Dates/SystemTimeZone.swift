import ToDoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time zone of the process: the variable `TZ`, or else what the system is set to.
///
/// The C library's rules rather than Foundation's: they accept every form of `TZ`, know the names that people use
/// ("CEST", not "GMT+2"), and are there without loading the data of ICU.
struct SystemTimeZone: TimeZoneRules {
  init() {
    // localtime_r alone need not look at TZ.
    tzset()
  }

  func offset(at instant: Timestamp) -> ZoneOffset {
    var seconds = time_t(instant.microseconds.flooredDivision(by: 1_000_000).quotient)
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil else { return ZoneOffset(seconds: 0, name: "UTC") }
    return ZoneOffset(seconds: Int(fields.tm_gmtoff), name: fields.tm_zone.map { String(cString: $0) } ?? "")
  }
}
