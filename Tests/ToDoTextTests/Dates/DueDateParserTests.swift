import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoText

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
    ("next week", "Mon 2026-05-04"),
    ("this sat", "Sat 2026-05-02"),
    ("weekend", "Sat 2026-05-02"),
    ("this weekend", "Sat 2026-05-02"),
    ("next weekend", "Sat 2026-05-09"),
    ("next month", "Fri 2026-05-01"),
    ("next year", "Fri 2027-01-01"),
    ("eow", "Sun 2026-05-03"),
    ("end of week", "Sun 2026-05-03"),
    ("eom", "Thu 2026-04-30"),
    ("end of the month", "Thu 2026-04-30"),
    ("eoy", "Thu 2026-12-31"),
    ("end of year", "Thu 2026-12-31"),
    ("3d", "Sat 2026-05-02"),
    ("2 weeks", "Wed 2026-05-13"),
    ("in 3 months", "Wed 2026-07-29"),
    ("10mo", "Sun 2027-02-28"),
    ("+1y", "Thu 2027-04-29"),
    ("in a year", "Thu 2027-04-29"),
    ("28 nov", "Sat 2026-11-28"),
    ("nov 28", "Sat 2026-11-28"),
    ("28th of November", "Sat 2026-11-28"),
    ("Nov. 28th", "Sat 2026-11-28"),
    ("28 jan", "Thu 2027-01-28"),
    ("29 apr", "Wed 2026-04-29"),
    ("28 apr", "Wed 2027-04-28"),
    ("feb 29", "Tue 2028-02-29"),
    ("28 nov 2027", "Sun 2027-11-28"),
    ("November 28, 2025", "Fri 2025-11-28"),
    ("Sat 28 Nov", "Sat 2026-11-28"),
    ("Sun 28 Nov", "Sun 2027-11-28"),
    ("Sat 3 Jan", "Sat 2026-01-03"),
    ("Sat 2026-11-28", "Sat 2026-11-28"),
    ("28.11.", "Sat 2026-11-28"),
    ("1.5.2027", "Sat 2027-05-01"),
    ("28/11", "Sat 2026-11-28"),
    ("5/6", "Fri 2026-06-05"),
    ("11/28/2027", "Sun 2027-11-28"),
    ("3rd", "Sun 2026-05-03"),
    ("the 29th", "Wed 2026-04-29"),
    ("31st", "Sun 2026-05-31"),
    ("Mon 3rd", "Mon 2026-08-03"),
    ("first mon of may", "Mon 2026-05-04"),
    ("1st mon of april", "Mon 2027-04-05"),
    ("last fri of nov", "Fri 2026-11-27"),
    ("fifth wed of april", "Wed 2026-04-29"),
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
    ("mon 9", "Mon 2026-05-04 09:00 CEST"),
    ("mon 9:30", "Mon 2026-05-04 09:30 CEST"),
    ("mon at 21", "Mon 2026-05-04 21:00 CEST"),
    ("tomorrow 5", "Thu 2026-04-30 05:00 CEST"),
    ("tonight", "Wed 2026-04-29 20:00 CEST"),
    ("this evening", "Wed 2026-04-29 18:00 CEST"),
    ("tomorrow morning", "Thu 2026-04-30 09:00 CEST"),
    ("fri afternoon", "Fri 2026-05-01 15:00 CEST"),
    ("28 nov 17:00", "Sat 2026-11-28 17:00 CET"),
    ("Sat 28 Nov 17:00", "Sat 2026-11-28 17:00 CET"),
    ("Sat 2026-11-28 17:00 CET", "Sat 2026-11-28 17:00 CET"),
    ("Sat 2026-11-28 17:00 +02:00", "Sat 2026-11-28 16:00 CET"),
    ("Sun 2026-10-25 02:30 CEST", "Sun 2026-10-25 02:30 CEST"),
    ("Sun 2026-10-25 02:30 CET", "Sun 2026-10-25 02:30 CET"),
    ("noon friday", "Fri 2026-05-01 12:00 CEST"),
    ("5 pm on 28 nov", "Sat 2026-11-28 17:00 CET"),
    ("17:00 2026-11-28", "Sat 2026-11-28 17:00 CET"),
    ("3mo 8:00", "Wed 2026-07-29 08:00 CEST"),
  ])
  func parse_whenDayAndTimeAreGiven_returnsInstant(text: String, due: String) throws {
    #expect(try resolve(text) == due)
  }

  @Test(arguments: [
    ("+2h", "Wed 2026-04-29 12:15 CEST"),
    ("in 2 hours", "Wed 2026-04-29 12:15 CEST"),
    ("in an hour", "Wed 2026-04-29 11:15 CEST"),
    ("30min", "Wed 2026-04-29 10:45 CEST"),
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
    "", " ", "soon", "5", "tomorrow at", "at", "tomorrow 24", "mon 5 6", "25:00", "24:01", "17:60", "13pm", "0am",
    "2026-02-30", "2026-13-01", "0000-01-01", "10000-01-01", "2026-05-01T", "2026-05-01T17", "17:00Z", "5pm+02:00",
    "tomorrow 17:00Z", "tomorrow 17:00 +02:00", "+3", "+d", "in", "in days", "-3d", "+2h 17:00", "fri mon", "next",
    "next week 5pm x", "today tomorrow", "2026-05-01T17:00+25:00", "2026-05-01T17:00+2", "tomorrow 17:00 sharp",
    "+99999999999999999999d", "+9999999999d", "+9223372036854775807h", "9999-12-31T24:00Z", "٣٠:٠٠",
    "2026-05-01T17:00:00.", "24:00:01", "fri 24:00:00.5",
  ])
  func parse_whenTextIsInvalid_saysHowToSeeForms(text: String) throws {
    let error = #expect(throws: DueDateError.self) { try resolve(text) }
    #expect(
      try #require(error).description == """
        '\(text)' is not a date or time; write one such as 'tomorrow 17:00'
        Run 'todo add --help' to see all forms
        """)
  }

  @Test(arguments: [
    ("tomorow", "tomorrow"), ("Tmrw 17:00", "tomorrow 17:00"), ("next wensday", "next wednesday"), ("frday", "friday"),
    ("28 novembr", "28 november"), ("nxet week", "next week"), ("weekned", "weekend"), ("beofre fri", "before fri"),
  ])
  func parse_whenWordIsMisspelled_suggestsNearestOne(text: String, correction: String) throws {
    let error = #expect(throws: DueDateError.self) { try resolve(text) }
    let message = try #require(error).description
    #expect(message.hasPrefix("'\(text)' is not a date or time; did you mean '\(correction)'?\n"))
  }

  @Test(arguments: [
    "Fri 28 Nov", "Fri 28 Nov 17:00", "Sat 2026-11-27", "Sat 28 Nov 2027", "30 feb", "feb 30", "31.4.", "28.11",
    "28.13.", "0/5", "32nd", "0th", "3nd x", "first mon", "sixth mon of may", "6th mon of may", "nov", "28", "may",
    "this", "end of", "evening", "17:00 CET", "Sat 2026-11-28 17:00 CEST", "Sat 2026-11-28 17:00 EST", "noon noon",
    "13/13", "99999999999mo", "9999y", "28 nov 20277", "next evening", "5 nov 2027 17:00 9",
  ])
  func parse_whenDateIsImpossible_throws(text: String) {
    #expect(throws: DueDateError(text: text)) { try resolve(text) }
  }

  @Test(arguments: ["1m", "+30m", "30m tomorrow", "in 3m"]) func parse_whenUnitIsAmbiguous_throws(text: String) throws {
    let error = #expect(throws: DueDateError.self) { try resolve(text) }
    let message = "'\(text)' is ambiguous; write 'min' for minutes or 'mo' for months"
    #expect(try #require(error).description == message)
  }

  @Test(arguments: [
    ("5/6", "Wed 2026-05-06"), ("28/11", "Sat 2026-11-28"), ("11/28/2027", "Sun 2027-11-28"),
    ("5.6.", "Fri 2026-06-05"),
  ])
  func parse_whenMonthIsFirst_readsSlashesInThatOrder(text: String, due: String) throws {
    let now = try #require(Timestamp("2026-04-29T08:15:42Z"))
    let parser = DueDateParser(now: now, zone: zone, locale: "en_US")
    #expect(try parser.parse(text).absoluteText(in: zone) == due)
  }

  @Test(arguments: [
    ("morgen", "Thu 2026-04-30"), ("Übermorgen 17 Uhr", "Fri 2026-05-01 17:00 CEST"), ("28.11", "Sat 2026-11-28"),
    ("am 3. Mai um 9:30", "Sun 2026-05-03 09:30 CEST"), ("nächsten Montag", "Mon 2026-05-04"),
    ("Freitag früh", "Fri 2026-05-01 09:00 CEST"), ("heute Abend", "Wed 2026-04-29 18:00 CEST"),
    ("in zwei Wochen", "Wed 2026-05-13"), ("halb 6 morgen", "Thu 2026-04-30 17:30 CEST"), ("mi", "Wed 2026-05-06"),
    ("tomorrow 5pm", "Thu 2026-04-30 17:00 CEST"), ("next week", "Mon 2026-05-04"), ("5/6", "Fri 2026-06-05"),
  ])
  func parse_whenLocaleIsGerman_readsGermanAndEnglish(text: String, due: String) throws {
    let now = try #require(Timestamp("2026-04-29T08:15:42Z"))
    let parser = DueDateParser(now: now, zone: zone, locale: "de_DE.UTF-8")
    #expect(try parser.parse(text).absoluteText(in: zone) == due)
    if text == "morgen" { #expect(throws: DueDateError(text: text)) { try resolve(text) } }
  }

  @Test(arguments: [
    ("half past 5", "Wed 2026-04-29 17:30 CEST"), ("tonight 21:00", "Wed 2026-04-29 21:00 CEST"),
    ("the day after tomorrow", "Fri 2026-05-01"), ("in a fortnight", "Wed 2026-05-13"), ("2026-5-1", "Fri 2026-05-01"),
    ("1.5.27", "Sat 2027-05-01"), ("tomorrow, Thu 30 Apr, 19:00", "Thu 2026-04-30 19:00 CEST"),
    ("yesterday 24:00", "Wed 2026-04-29 00:00 CEST"), ("9.30am", "Thu 2026-04-30 09:30 CEST"),
    ("17:00:30", "Wed 2026-04-29 17:00:30 CEST"), ("last fri", "Fri 2026-04-24"),
  ])
  func parse_readsFormsOfSentences(text: String, due: String) throws {
    #expect(try resolve(text) == due)
  }

  @Test func parse_whenInvalidTextHasControls_escapesError() throws {
    let error = #expect(throws: DueDateError.self) { try resolve("\u{1B}[31m") }
    #expect(try #require(error).description.hasPrefix("'\\u{1B}[31m' is not"))
  }
}
