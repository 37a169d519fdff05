import Testing
import ToDoModel

@testable import todo

/// The tests run at Wednesday, 2026-04-29, 10:15:42 in Berlin.
@Suite struct DueDateParserTests {
  private let zone = CentralEuropeanZone()

  private func resolve(_ text: String, at now: String = "2026-04-29T08:15:42Z") throws -> String {
    let parser = DueDateParser(now: try #require(Timestamp(now)), zone: zone)
    return try parser.parse(text).absoluteText(in: zone)
  }

  @Test(arguments: [
    ("today", "Wed 2026-04-29"),
    ("tomorrow", "Thu 2026-04-30"),
    ("yesterday", "Tue 2026-04-28"),
    ("fri", "Fri 2026-05-01"),
    ("friday", "Fri 2026-05-01"),
    ("thurs", "Thu 2026-04-30"),
    ("wed", "Wed 2026-05-06"),
    ("mon", "Mon 2026-05-04"),
    ("next mon", "Mon 2026-05-04"),
    ("next friday", "Fri 2026-05-08"),
    ("next wed", "Wed 2026-05-06"),
    ("next sun", "Sun 2026-05-10"),
    ("+0d", "Wed 2026-04-29"),
    ("+3d", "Sat 2026-05-02"),
    ("+3 days", "Sat 2026-05-02"),
    ("+1w", "Wed 2026-05-06"),
    ("in 3 days", "Sat 2026-05-02"),
    ("in 3d", "Sat 2026-05-02"),
    ("in a week", "Wed 2026-05-06"),
    ("2026-05-01", "Fri 2026-05-01"),
    ("2028-02-29", "Tue 2028-02-29"),
  ])
  func parse_whenTimeIsOmitted_returnsDate(text: String, due: String) throws {
    #expect(try resolve(text) == due)
  }

  @Test(arguments: [
    ("tomorrow 17:00", "Thu 2026-04-30 17:00 CEST"),
    ("tomorrow at 5pm", "Thu 2026-04-30 17:00 CEST"),
    ("tomorrow at 5 pm", "Thu 2026-04-30 17:00 CEST"),
    ("today 9:30", "Wed 2026-04-29 09:30 CEST"),
    ("fri at noon", "Fri 2026-05-01 12:00 CEST"),
    ("fri midnight", "Sat 2026-05-02 00:00 CEST"),
    ("fri 24:00", "Sat 2026-05-02 00:00 CEST"),
    ("fri 12am", "Fri 2026-05-01 00:00 CEST"),
    ("fri 12pm", "Fri 2026-05-01 12:00 CEST"),
    ("fri 12:30am", "Fri 2026-05-01 00:30 CEST"),
    ("next mon at 5:30pm", "Mon 2026-05-04 17:30 CEST"),
    ("+3d 17:00", "Sat 2026-05-02 17:00 CEST"),
    ("in 3 days at 17:00", "Sat 2026-05-02 17:00 CEST"),
    ("2026-05-01 17:00", "Fri 2026-05-01 17:00 CEST"),
    ("2026-01-02 17:00:30", "Fri 2026-01-02 17:00:30 CET"),
  ])
  func parse_whenDayAndTimeAreGiven_returnsInstant(text: String, due: String) throws {
    #expect(try resolve(text) == due)
  }

  @Test(arguments: [
    ("+2h", "Wed 2026-04-29 12:15 CEST"),
    ("in 2 hours", "Wed 2026-04-29 12:15 CEST"),
    ("in an hour", "Wed 2026-04-29 11:15 CEST"),
    ("+30m", "Wed 2026-04-29 10:45 CEST"),
    ("in 90 minutes", "Wed 2026-04-29 11:45 CEST"),
  ])
  func parse_whenRelativeToNow_dropsSeconds(text: String, due: String) throws {
    #expect(try resolve(text) == due)
  }

  @Test(arguments: [
    ("17:00", "Wed 2026-04-29 17:00 CEST"),
    ("5pm", "Wed 2026-04-29 17:00 CEST"),
    ("at 5pm", "Wed 2026-04-29 17:00 CEST"),
    ("noon", "Wed 2026-04-29 12:00 CEST"),
    ("midnight", "Thu 2026-04-30 00:00 CEST"),
    ("10:16", "Wed 2026-04-29 10:16 CEST"),
    ("10:15", "Thu 2026-04-30 10:15 CEST"),
    ("9am", "Thu 2026-04-30 09:00 CEST"),
  ])
  func parse_whenDayIsOmitted_returnsNextOccurrence(text: String, due: String) throws {
    #expect(try resolve(text) == due)
  }

  @Test(arguments: [
    ("2026-05-01T17:00", "2026-05-01T15:00:00Z"),
    ("2026-05-01T17:00:00Z", "2026-05-01T17:00:00Z"),
    ("2026-05-01t17:00z", "2026-05-01T17:00:00Z"),
    ("2026-05-01T17:00+05:30", "2026-05-01T11:30:00Z"),
    ("2026-05-01T17:00-0800", "2026-05-02T01:00:00Z"),
    ("2026-05-01T17:00:00.25+02", "2026-05-01T15:00:00.250Z"),
    ("2026-05-01T17:00:00.1234567Z", "2026-05-01T17:00:00.123456Z"),
    ("2026-05-01 17:00Z", "2026-05-01T17:00:00Z"),
    ("2026-05-01 17:00 +02:00", "2026-05-01T15:00:00Z"),
  ])
  func parse_whenISO8601_returnsInstant(text: String, instant: String) throws {
    let parser = DueDateParser(now: Timestamp(microseconds: 0), zone: zone)
    #expect(try parser.parse(text) == .time(try #require(Timestamp(instant))))
  }

  @Test(arguments: ["  Tomorrow   AT\t5PM ", "TOMORROW 17:00", "tomorrow\n17:00"])
  func parse_whenCaseOrSpacesDiffer_returnsSameDate(text: String) throws {
    #expect(try resolve(text) == "Thu 2026-04-30 17:00 CEST")
  }

  @Test(arguments: [
    ("2026-03-29 01:59", "2026-03-29T00:59:00Z", "Sun 2026-03-29 01:59 CET"),
    ("2026-03-29 02:00", "2026-03-29T01:00:00Z", "Sun 2026-03-29 03:00 CEST"),
    ("2026-03-29 02:30", "2026-03-29T01:30:00Z", "Sun 2026-03-29 03:30 CEST"),
    ("2026-03-29 03:00", "2026-03-29T01:00:00Z", "Sun 2026-03-29 03:00 CEST"),
    ("2026-10-25 01:59", "2026-10-24T23:59:00Z", "Sun 2026-10-25 01:59 CEST"),
    ("2026-10-25 02:30", "2026-10-25T00:30:00Z", "Sun 2026-10-25 02:30 CEST"),
    ("2026-10-25 03:00", "2026-10-25T02:00:00Z", "Sun 2026-10-25 03:00 CET"),
    ("2026-10-25T02:30+01:00", "2026-10-25T01:30:00Z", "Sun 2026-10-25 02:30 CET"),
  ])
  func parse_whenClocksChange_skipsGapAndReturnsEarlierInstant(
    text: String, instant: String, echo: String
  ) throws {
    let due = try DueDateParser(now: Timestamp(microseconds: 0), zone: zone).parse(text)
    #expect(due == .time(try #require(Timestamp(instant))))
    #expect(due.absoluteText(in: zone) == echo)
  }

  @Test func parse_whenHoursSpanClockChange_countsElapsedHours() throws {
    #expect(try resolve("+24h", at: "2026-03-28T12:00:00Z") == "Sun 2026-03-29 14:00 CEST")
    #expect(try resolve("+1d", at: "2026-03-28T12:00:00Z") == "Sun 2026-03-29")
  }

  @Test func parse_whenUTCDateDiffers_usesLocalDate() throws {
    #expect(try resolve("today", at: "2026-04-29T22:30:00Z") == "Thu 2026-04-30")
  }

  @Test(arguments: [
    "", " ", "soon", "5", "tomorrow at", "at", "tomorrow 5", "25:00", "24:01", "17:60", "13pm", "0am", "2026-02-30",
    "2026-5-1", "2026-13-01", "0000-01-01", "10000-01-01", "2026-05-01T", "2026-05-01T17", "17:00Z", "5pm+02:00",
    "tomorrow 17:00Z", "+3", "+d", "in", "in days", "3d", "-3d", "+2h 17:00", "fri mon", "next", "next week 5pm x",
    "today tomorrow", "2026-05-01T17:00+25:00", "2026-05-01T17:00+2", "tomorrow 17:00 sharp", "+99999999999999999999d",
    "+9999999999d", "+9223372036854775807h", "9999-12-31T24:00Z", "٣٠:٠٠", "2026-05-01T17:00:00.",
  ])
  func parse_whenTextIsInvalid_throwsListOfForms(text: String) throws {
    let error = #expect(throws: DueDateError.self) { try resolve(text) }
    let message = try #require(error).description
    #expect(message.hasPrefix("'\(text)' is not a date or time; use one of these forms:\n"))
    #expect(message.contains("tomorrow 17:00, fri at 5pm"))
  }

  @Test func parse_whenInvalidTextHasControls_escapesError() throws {
    let error = #expect(throws: DueDateError.self) { try resolve("\u{1B}[31m") }
    #expect(try #require(error).description.hasPrefix("'\\u{1B}[31m' is not"))
  }
}
