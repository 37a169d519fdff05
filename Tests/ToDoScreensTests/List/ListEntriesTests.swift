import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct ListEntriesTests {
  private typealias Bench = ListScreenBench

  /// A list whose items are due as these texts say, in local time; a blank text is no due date.
  private static func bench(due texts: [String], done: Set<Int> = []) throws -> Bench {
    let dates = Bench().environment.dates
    return Bench(
      try texts.enumerated().map { index, text in
        var item = Bench.item(UInt64(index + 1), done: done.contains(index + 1))
        item.content.due = text.isEmpty ? nil : try dates.parse(text)
        return item
      })
  }

  private static func entries(_ bench: Bench) -> ListEntries {
    ListEntries(bench.screen.sections, DueBounds(bench.environment, waitingAfter: nil))
  }

  @Test func headings_divideItemsByDueDateInLocalTime() throws {
    let due = [
      "", "2026-05-07", "2026-05-06", "2026-04-30 00:30", "2026-04-29", "2026-04-29 23:30", "2026-04-29 10:00",
      "2026-04-28", "2026-04-01",
    ]
    let bench = try Self.bench(due: due, done: [9])
    #expect(bench.shown == [8, 7, 6, 5, 4, 3, 2, 1, 9])
    let headings = Self.entries(bench).headings
    #expect(headings.map(\.group) == [.overdue, .today, .next, .later, .done])
    #expect(headings.map(\.rows) == [0..<2, 2..<4, 4..<6, 6..<8, 8..<9])
    #expect(headings.map(\.total) == [2, 2, 2, 2, 1])
  }

  @Test func headings_whenADateHasEndedLater_sortItAfterTimes() throws {
    // 18:00 in Honolulu is 04:00 UTC of the next day.
    var bench = try Self.bench(due: ["2026-04-29", "2026-04-29 23:00"])
    bench.environment.zone = FixedZone(offset: ZoneOffset(seconds: -36_000, name: "HST"))
    bench.environment.now = Timestamp(microseconds: Sample.start.microseconds + 18 * 3_600_000_000)
    bench.send(.minutePassed)
    #expect(bench.shown == [2, 1])
    #expect(Self.entries(bench).headings.map(\.group) == [.overdue, .today])
  }

  @Test(arguments: [
    ("2026-10-20T08:00:00Z", ["2026-10-27 23:30", "2026-10-27", "2026-10-28 00:30", "2026-10-28"], 2),
    ("2026-10-24T22:30:00Z", ["2026-10-25 23:30", "2026-10-25", "2026-10-26 00:30", "2026-10-26"], 2),
    ("2027-03-24T09:00:00Z", ["2027-03-31 23:30", "2027-03-31", "2027-04-01 00:30", "2027-04-01"], 2),
  ])
  func headings_nearAChangeOfTheClocks_divideDays(_ now: String, _ due: [String], _ count: Int) throws {
    var bench = try Self.bench(due: due)
    bench.environment.now = try #require(Timestamp(now))
    bench.send(.minutePassed)
    #expect(bench.shown == [1, 2, 3, 4])
    #expect(Self.entries(bench).headings.map(\.rows) == [0..<count, count..<4])
  }

  @Test func headings_inAnotherOrder_areThoseOfTheSections() throws {
    var bench = try Self.bench(due: ["2026-04-28", "2026-04-29", ""], done: [3])
    bench.press(.character("s"))
    #expect(Self.entries(bench).headings.map(\.group) == [.toDo, .done])
  }

  @Test func headings_withoutNearDueDates_areThoseOfTheSections() throws {
    let bench = try Self.bench(due: ["2027-04-28", "", ""], done: [3])
    #expect(Self.entries(bench).headings.map(\.group) == [.toDo, .done])
  }

  @Test func headings_whenASearchFindsOnlyLaterItems_areStillDivided() throws {
    var bench = try Self.bench(due: ["2026-04-28", "", ""])
    bench.press(.character("/"))
    bench.finishSearch(bench.type("Item 2"))
    let headings = Self.entries(bench).headings
    #expect(headings.map(\.group) == [.later])
    #expect(headings.map(\.total) == [2])
  }

  @Test func entries_haveHeadingsAndGaps() throws {
    let entries = Self.entries(try Self.bench(due: ["2026-04-29", "2026-04-29", ""], done: [3]))
    #expect((-1...7).map { entries[$0] } == [nil, .heading(0), .row(0), .row(1), .gap, .heading(1), .row(2), nil, nil])
    #expect(entries.count == 6)
    #expect((0..<3).map { entries.index(ofRow: $0) } == [1, 2, 5])
  }

  @Test func entries_whenListIsEmpty_areOneHeading() {
    let entries = Self.entries(Bench())
    #expect(entries.headings.map(\.group) == [.toDo])
    #expect(entries.count == 1)
  }

  @Test func tab_selectsTheFirstItemBelowTheNextHeading() throws {
    var bench = try Self.bench(due: ["2026-04-28", "2026-04-28", "2026-04-29", "", ""], done: [5])
    var selected: [Int64?] = []
    for key in [.tab, .tab, .tab, .tab, .backTab, .backTab] as [KeyPress] {
      bench.press(key)
      selected.append(bench.selected)
    }
    #expect(selected == [3, 4, 5, 1, 5, 4])
  }
}
