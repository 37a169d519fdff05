import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// The keys that make an item due later. It is Wednesday, 2026-04-29.
@Suite struct ReschedulingTests {
  typealias Bench = ListScreenBench

  private static let today = DueDate.date(CalendarDate(daysSinceEpoch: 20_572))
  private static let tomorrow = DueDate.date(CalendarDate(daysSinceEpoch: 20_573))

  private func item(due: DueDate? = today, repetition: Repetition? = nil, isDone: Bool = false) -> ToDoItem {
    var item = Bench.item(1, done: isDone, revision: 7)
    (item.content.due, item.content.repetition) = (due, repetition)
    return item
  }

  private func edit(_ due: DueDate) -> ItemEdit {
    var edit = ItemEdit()
    edit.due = .set(due)
    return edit
  }

  @Test func skip_movesItemOn() {
    let item = item(repetition: Repetition(.calendar(RecurrenceRule(.daily))))
    var bench = Bench([item])
    let actions = bench.press(.character("S"))
    #expect(
      actions == [.perform(.reschedule(item.id, edit(Self.tomorrow), ifRevision: Revision(7), .skipped))])
  }

  @Test func skip_ofOtherItems_saysWhyNot() throws {
    var bench = Bench([item()])
    #expect(bench.press(.character("S")) == [.message(ListMessage.notRepeating)])
    bench = Bench([item(repetition: Repetition(.calendar(RecurrenceRule(.daily))), isDone: true)])
    #expect(bench.press(.character("S")) == [.message(ListMessage.alreadyDone)])
    let once = RecurrenceRule(.daily, end: .count(1))
    bench = Bench([item(repetition: Repetition(.calendar(once), start: Self.today))])
    #expect(bench.press(.character("S")) == [.message(ListMessage.noFurtherOccurrence)])
  }

  @Test func postponement_isTyped() {
    let item = item()
    var bench = Bench([item])
    #expect(bench.press(.character("p")) == [])
    #expect(bench.screen.input.isOpen)
    #expect(bench.type("1d") == [])
    #expect(
      bench.press(.enter) == [.perform(.reschedule(item.id, edit(Self.tomorrow), ifRevision: Revision(7), .postponed))])
    #expect(!bench.screen.input.isOpen)
  }

  @Test(arguments: ["", "nonsense", "yesterday"]) func postponement_whenInvalid_remainsOpen(_ text: String) {
    var bench = Bench([item()])
    bench.press(.character("p"))
    bench.type(text)
    let actions = bench.press(.enter)
    #expect(actions.count == 1)
    if case .message = actions.first {} else { Issue.record("\(actions)") }
    #expect(bench.screen.input.isOpen)
    #expect(bench.press(.escape) == [])
    #expect(!bench.screen.input.isOpen)
  }

  @Test func postponement_whenItemIsDeletedMeanwhile_changesNoOther() {
    var bench = Bench([item(), Bench.item(2)])
    bench.press(.character("p"))
    bench.type("1d")
    // Nor do arrows select another item.
    bench.press(.down)
    bench.delete(1)
    #expect(bench.press(.enter) == [.message(ListMessage.changedMeanwhile)])
    #expect(!bench.screen.input.isOpen)
  }

  @Test func postponement_ofDoneItem_isRefused() {
    var bench = Bench([item(isDone: true)])
    #expect(bench.press(.character("p")) == [.message(ListMessage.alreadyDone)])
  }

  @Test func postponement_whenConnectionIsLost_remainsOpen() {
    var bench = Bench([item()])
    bench.press(.character("p"))
    bench.type("1d")
    bench.environment.connection = .lost(since: Sample.start)
    #expect(bench.press(.enter) == [.message(ListMessage.notConnected)])
    #expect(bench.screen.input.isOpen)
  }
}
