import Testing
import ToDoModel

@Suite struct CalendarDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (2026, 5, 1, 20_574), (2000, 2, 29, 11_016), (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896),
  ])
  func daysSinceEpoch_ofDate_countsFrom1970(_ year: Int, _ month: Int, _ day: Int, _ days: Int) throws {
    let date = try #require(CalendarDate(year: year, month: month, day: day))
    #expect(date.daysSinceEpoch == days)
    #expect(CalendarDate(daysSinceEpoch: days) == date)
  }

  @Test func daysSinceEpoch_overEightCenturies_isInverseOfInit() {
    for days in -146_097...146_097 { #expect(CalendarDate(daysSinceEpoch: days).daysSinceEpoch == days) }
  }

  @Test(arguments: [
    (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0), (0, 1, 1), (10_000, 1, 1),
  ])
  func init_whenDayDoesNotExist_returnsNil(_ year: Int, _ month: Int, _ day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }

  @Test func description_isISO8601() {
    #expect(CalendarDate(year: 33, month: 4, day: 3)?.description == "0033-04-03")
  }
}
