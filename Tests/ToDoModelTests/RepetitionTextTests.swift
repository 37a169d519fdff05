import Testing

@testable import ToDoModel

@Suite struct RepetitionTextTests {
  @Test(arguments: ["P1D", "P2W", "P11M", "P999Y"]) func interval_hasText(_ text: String) throws {
    #expect(try #require(Repetition.Interval(text)).description == text)
    #expect(Repetition.Rule(text)?.description == text)
  }

  @Test(arguments: [
    "", "P", "P0D", "P-1D", "P+1D", "P01D", "P1", "1D", "P1H", "P1D1W", "p1d", "P99999999999999999999D",
  ])
  func otherText_isNoInterval(_ text: String) { #expect(Repetition.Interval(text) == nil) }

  @Test func size_isThatOfTexts() {
    let repetition = Repetition(.afterDone(.init(3, .daily)), timeZone: "Europe/Berlin")
    #expect(repetition.size == Repetition.overhead + 16 && repetition.summary == "P3D Europe/Berlin")
  }

  @Test(
    arguments: [
      (1, 0, 1, 2, "FREQ=DAILY UTC from 2026-05-01", "FREQ=DAILY UTC from 2026-05-01, 2 missed"),
      (1, 2, 4, 0, "FREQ=DAILY UTC from 2026-05-01, 2 missed", "FREQ=DAILY UTC from 2026-05-04"),
      (nil, 0, 4, 0, "FREQ=DAILY UTC", "FREQ=DAILY UTC from 2026-05-04"), (1, 2, 1, 2, nil, nil),
    ] as [(Int?, Int, Int?, Int, String?, String?)])
  func change_ofOnlyStartOrMissedCount_isListed(
    _ start: Int?, _ missed: Int, _ newStart: Int?, _ newMissed: Int, _ from: String?, _ to: String?
  ) {
    func item(_ day: Int?, _ missed: Int) -> ToDoItem {
      let time = Timestamp(microseconds: 5)
      let repetition = Repetition(
        .calendar(RecurrenceRule(.daily)), timeZone: "UTC",
        start: day.flatMap { CalendarDate(year: 2026, month: 5, day: $0) }.map(DueDate.date), missedCount: missed)
      return ToDoItem(
        id: ItemID(high: 0, low: 1), number: .unknown, content: ItemContent(title: "a", repetition: repetition),
        createdAt: time, updatedAt: time, revision: .initial)
    }
    let changes = FieldChange.differences(from: item(start, missed), to: item(newStart, newMissed))
    let change = from.map { FieldChange(.repetition, from: .text($0), to: to.map(FieldChange.Value.text)) }
    #expect(changes == [change].compactMap(\.self))
  }
}
