#if Nominatim
import Testing
import ToDoModel

@testable import ToDoGeocoders

@Suite struct RetryAfterTests {
  /// 2026-01-01T00:00:00Z, a Thursday.
  private let now = Timestamp(microseconds: 1_767_225_600_000_000)

  @Test(arguments: [
    ("120", Duration.seconds(120)), (" 0 ", .zero), ("007", .seconds(7)), ("86401", .seconds(86_400)),
    ("99999999999999999999", .seconds(86_400)), ("Thu, 01 Jan 2026 00:01:30 GMT", .seconds(90)),
    ("Wed, 31 Dec 2025 23:59:59 GMT", .zero), ("Thu, 01 Jan 2026 00:00:60 GMT", .seconds(60)),
    ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(86_400)),
  ])
  func duration_whenSecondsOrDate_isParsed(_ text: String, _ duration: Duration) {
    #expect(RetryAfter.duration(text, at: now) == duration)
  }

  @Test(arguments: [
    "", "soon", "-1", "1.5", "+3", "３", "Thu, 01 Jan 2026 00:01:30", "Thu, 32 Jan 2026 00:01:30 GMT",
    "Thu, 01 Foo 2026 00:01:30 GMT", "Thu, 01 Jan 2026 24:00:00 GMT", "Thu, 01 Jan 2026 00:01 GMT",
    "Thursday, 01-Jan-26 00:01:30 GMT", "Thu, 01 Jan 2026 00:01:30 CET", "Thu, 01 Jan 99999999999999999999 0:0:0 GMT",
  ])
  func duration_whenMalformed_isNil(_ text: String) {
    #expect(RetryAfter.duration(text, at: now) == nil)
  }
}
#endif
