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
  }
}
