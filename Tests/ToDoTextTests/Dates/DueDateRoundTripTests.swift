import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport

@testable import ToDoText

@Suite struct DueDateRoundTripTests {
  /// Everything that is printed can be read, whatever the date, the zone and the time at which it is read.
  @Test func parse_readsWhatIsPrinted() throws {
    var random = SeededGenerator(seed: 16)
    let offsets = [(0, "UTC"), (20_700, "+0545"), (-12_600, "-0330"), (50_400, "+14")].map {
      FixedZone(offset: ZoneOffset(seconds: $0, name: $1))
    }
    let zones: [any TimeZoneRules] = [CentralEuropeanZone()] + offsets
    // The days around today have most of the forms.
    let spans: [ClosedRange<Int>] = [-8...8, -400...400, -100_000...100_000]
    for index in 0..<3000 {
      let zone = zones[Int.random(in: 0..<zones.count, using: &random)]
      let now = Timestamp(microseconds: Int64.random(in: 0..<4_000_000_000_000_000, using: &random))
      let today = try #require(zone.localTime(at: now).date)
      let date = try #require(today.adding(days: Int.random(in: spans[index % 3], using: &random)))
      let second = Int64(date.daysSinceEpoch) * 86_400 + Int64.random(in: 0..<86_400, using: &random)
      let instant = Timestamp(microseconds: (Bool.random(using: &random) ? second : second / 60 * 60) * 1_000_000)
      let locale = ["en_US", "de_DE", "fr_FR", ""].randomElement(using: &random) ?? ""
      let parser = DueDateParser(now: now, zone: zone, locale: locale)
      for due in [DueDate.date(date), .time(instant)] {
        #expect(try parser.parse(due.absoluteText(in: zone)) == due)
        #expect(try parser.parse(due.confirmationText(today: today, in: zone)) == due)
        let short = due.shortText(today: today, in: zone)
        let isRepeated = due != .date(date) && zone.instant(at: zone.localTime(at: instant)) != instant
        // The short form has no abbreviation of the zone.
        if !isRepeated { #expect(try parser.parse(short) == due, "\(short) at \(today)") }
      }
    }
  }
}
