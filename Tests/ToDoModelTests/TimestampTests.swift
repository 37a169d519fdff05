import Testing
import ToDoModel

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"),
    (1_767_225_600_000_000, "2026-01-01T00:00:00Z"),
    (1_767_225_600_120_000, "2026-01-01T00:00:00.120Z"),
    (1_767_225_600_120_004, "2026-01-01T00:00:00.120004Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
    (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
  ])
  func description_isRFC3339(_ microseconds: Int, _ text: String) {
    #expect(Timestamp(microseconds: Int64(microseconds)).description == text)
    #expect(Timestamp(text)?.microseconds == Int64(microseconds))
  }

  @Test(arguments: [
    ("2026-01-01T02:00:00+02:00", 1_767_225_600_000_000), ("2025-12-31t18:30:00-05:30", 1_767_225_600_000_000),
    ("2026-01-01T00:00:00.5z", 1_767_225_600_500_000), ("2026-01-01T00:00:00.1234567Z", 1_767_225_600_123_456),
    ("1969-12-31T23:59:59.9999999Z", -1),
  ])
  func init_whenTextIsRFC3339_parsesIt(_ text: String, _ microseconds: Int) {
    #expect(Timestamp(text)?.microseconds == Int64(microseconds))
  }

  @Test(arguments: [
    "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Z ", "2026-02-29T00:00:00Z",
    "2026-01-01 00:00:00Z", "2026-01-01T00:00:00+2", "2026-01-01T00:00:00+02:60", "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00", "+026-01-01T00:00:00Z", "2026-01-01T00:00:00é",
  ])
  func init_whenTextIsNotRFC3339_isNil(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [
    (-62_135_596_800_000_001, "-62135596800000001 µs"), (253_402_300_800_000_000, "253402300800000000 µs"),
    (Int.min, "-9223372036854775808 µs"), (Int.max, "9223372036854775807 µs"),
  ])
  func description_whenOutsideOfTheSupportedRange_isMicroseconds(_ microseconds: Int, _ text: String) {
    #expect(Timestamp(microseconds: Int64(microseconds)).description == text)
  }
}
