import Testing
import ToDoTestSupport

@testable import ToDoModel

@Suite struct RecurrenceRuleTextTests {
  @Test(arguments: [
    "FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=SU", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=MO,-1FR",
    "FREQ=MONTHLY;BYMONTHDAY=-1,15", "FREQ=YEARLY;BYMONTH=2,8;BYMONTHDAY=29", "FREQ=YEARLY;BYDAY=53MO,-53SU",
    "FREQ=DAILY;INTERVAL=999;COUNT=9999", "FREQ=DAILY;UNTIL=20261231", "FREQ=DAILY;UNTIL=20261231T225959Z",
    "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", "FREQ=DAILY;UNTIL=00010101",
  ])
  func description_ofParsedCanonicalText_isTheText(_ text: String) throws {
    #expect(try RecurrenceRule(parsing: text).description == text)
  }

  @Test(
    arguments: [
      ("byday=th,mo;freq=weekly", "FREQ=WEEKLY;BYDAY=MO,TH"), ("FREQ=DAILY;INTERVAL=1", "FREQ=DAILY"),
      ("WKST=MO;COUNT=03;FREQ=DAILY", "FREQ=DAILY;COUNT=3"),
      ("FREQ=MONTHLY;BYMONTHDAY=+1,1,-1", "FREQ=MONTHLY;BYMONTHDAY=-1,1"),
      ("FREQ=MONTHLY;BYDAY=+1MO,1MO,MO", "FREQ=MONTHLY;BYDAY=MO,1MO"),
      ("RSCALE=GREGORIAN;FREQ=DAILY;SKIP=OMIT", "FREQ=DAILY"),
      ("Skip=Backward;Freq=Yearly;RScale=Gregorian", "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD"),
      ("FREQ=YEARLY;BYMONTH=12,1,12", "FREQ=YEARLY;BYMONTH=1,12"),
    ] as [(String, String)])
  func description_ofOtherText_isCanonical(_ text: String, _ canonical: String) throws {
    #expect(try RecurrenceRule(parsing: text).description == canonical)
  }

  @Test func init_withEveryPart_readsEachPart() throws {
    let rule = try RecurrenceRule(
      parsing:
        "RSCALE=GREGORIAN;FREQ=YEARLY;INTERVAL=3;BYMONTH=4;BYMONTHDAY=-2;BYDAY=-1SU;WKST=SU;COUNT=7;SKIP=BACKWARD")
    let expected = RecurrenceRule(
      .yearly, interval: 3, weekdays: [.init(6, ordinal: -1)], monthDays: [-2], months: [4], end: .count(7),
      weekStart: 6,
      clampsMonthDays: true)
    #expect(rule == expected)
    #expect(
      try RecurrenceRule(parsing: "FREQ=DAILY;UNTIL=20260501T093000Z").end
        == .until(.time(#require(Timestamp("2026-05-01T09:30:00Z")))))
  }

  /// Each text, and what the reason names.
  @Test(
    arguments: [
      ("", "empty"), ("INTERVAL=2", "FREQ"), ("FREQ=HOURLY", "FREQ=HOURLY"), ("FREQ=", "FREQ="), ("FREQ", "'FREQ'"),
      ("RRULE:FREQ=DAILY", "RRULE:FREQ"), ("FREQ=DAILY;", "''"), ("FREQ=DAILY;FREQ=DAILY", "FREQ twice"),
      ("FREQ=DAILY;BYSETPOS=1", "BYSETPOS"), ("FREQ=DAILY;BYHOUR=1", "BYHOUR"), ("FREQ=DAILY;X-A=1", "X-A"),
      ("FREQ=DAILY;INTERVAL=0", "INTERVAL=0"), ("FREQ=DAILY;INTERVAL=1000", "INTERVAL=1000"),
      ("FREQ=DAILY;INTERVAL=-1", "INTERVAL=-1"), ("FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL"),
      ("FREQ=DAILY;COUNT=0", "COUNT=0"), ("FREQ=DAILY;COUNT=10000", "COUNT=10000"), ("FREQ=DAILY;COUNT=", "COUNT="),
      ("FREQ=DAILY;COUNT=1;UNTIL=20260101", "COUNT and UNTIL"), ("FREQ=DAILY;UNTIL=20260230", "UNTIL=20260230"),
      ("FREQ=DAILY;UNTIL=20260101T100000", "UNTIL=20260101T100000"), ("FREQ=DAILY;UNTIL=20260101T240000Z", "UNTIL"),
      ("FREQ=DAILY;BYMONTH=13", "BYMONTH=13"), ("FREQ=DAILY;BYMONTH=1,,2", "BYMONTH=1,,2"),
      ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY=0"), ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY=32"),
      ("FREQ=MONTHLY;BYMONTHDAY=--1", "BYMONTHDAY=--1"), ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"),
      ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY=1MO"), ("FREQ=DAILY;BYDAY=-1MO", "BYDAY=-1MO"),
      ("FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX"),
      ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY=0MO"), ("FREQ=MONTHLY;BYDAY=6MO", "BYDAY=6MO"),
      ("FREQ=YEARLY;BYDAY=54MO", "BYDAY=54MO"),
      ("FREQ=YEARLY;BYMONTH=1;BYDAY=6MO", "BYDAY=6MO"), ("FREQ=WEEKLY;BYDAY=", "BYDAY="),
      ("FREQ=WEEKLY;WKST=1MO", "WKST=1MO"),
      ("FREQ=MONTHLY;SKIP=BACKWARD", "RSCALE=GREGORIAN"), ("RSCALE=HEBREW;FREQ=YEARLY", "RSCALE=HEBREW"),
      ("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD", "SKIP=FORWARD"),
      ("RSCALE=GREGORIAN;FREQ=WEEKLY;SKIP=BACKWARD", "SKIP=BACKWARD"), ("FREQ=DAILY;ÜBER=1", "ASCII"),
      ("FREQ=DAILY; COUNT=1", "ASCII"),
      (String(repeating: "A", count: 513), "513 bytes"),
    ] as [(String, String)])
  func init_withOtherText_namesTheReason(_ text: String, _ named: String) {
    #expect { try RecurrenceRule(parsing: text) } throws: { error in
      (error as? RecurrenceRule.Violation)?.reason.contains(named) == true
    }
    #expect(RecurrenceRule(text) == nil)
  }

  @Test func init_withMutatedTexts_roundTripsOrRefuses() throws {
    var generator = SeededGenerator(seed: 4)
    let seed = Array(
      "RSCALE=GREGORIAN;FREQ=YEARLY;INTERVAL=3;BYMONTH=4;BYMONTHDAY=-2;BYDAY=-1SU;WKST=SU;COUNT=7;SKIP=BACKWARD".utf8)
    for _ in 0..<2_000 {
      var bytes = seed
      for _ in 0..<3 {
        bytes[.random(in: bytes.indices, using: &generator)] = .random(in: 0x20...0x7E, using: &generator)
      }
      guard let rule = RecurrenceRule(String(decoding: bytes, as: UTF8.self)) else { continue }
      #expect(try RecurrenceRule(parsing: rule.description) == rule)
    }
  }

  @Test(arguments: [
    RecurrenceRule(.daily, interval: 0), RecurrenceRule(.daily, interval: .max),
    RecurrenceRule(.daily, end: .count(.min)),
    RecurrenceRule(.weekly, weekdays: [.init(7)]), RecurrenceRule(.weekly, weekStart: -1),
    RecurrenceRule(.monthly, monthDays: Array(repeating: 1, count: 63)), RecurrenceRule(.yearly, months: [0]),
    RecurrenceRule(.monthly, weekdays: Array(repeating: .init(0), count: 65)),
    RecurrenceRule(.daily, end: .until(.time(Timestamp(microseconds: 1)))),
    RecurrenceRule(.daily, end: .until(.time(Timestamp(microseconds: .max)))),
  ])
  func violation_ofInvalidRule_isFound(_ rule: RecurrenceRule) {
    #expect(rule.violation != nil)
    _ = rule.description
  }
}
