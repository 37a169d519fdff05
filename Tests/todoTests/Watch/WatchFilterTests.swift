import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport
import ToDoText

@testable import todo

/// A watch with a text, `--due` or `--place`. The time is Wednesday, 29 April 2026, 10:15:42.
@Suite(.unitTimeLimited) struct WatchFilterTests {
  private let service = ScriptedWatch()
  private let bench: TestBench
  private let probe = ScreenProbe()

  init() {
    bench = TestBench(service: service)
    probe.attach(to: bench)
  }

  private func item(
    _ number: UInt64, _ title: String, due: DueDate? = nil, place: String? = nil, at revision: Int64
  ) -> ToDoItem {
    ToDoItem(
      id: TestBench.id(number), number: ItemNumber(Int64(number)),
      content: ItemContent(title: title, due: due, location: place.map { Location(name: $0) }),
      createdAt: TestBench.start, updatedAt: TestBench.start, revision: Revision(revision))
  }

  private func date(_ day: Int) -> DueDate {
    .date(CalendarDate(year: 2026, month: 4, day: day) ?? .epoch)
  }

  private func emitEdit(_ item: ToDoItem) {
    service.emit(.changes(ChangeSet(revision: item.revision, changes: [.put(item, .edited)])))
  }

  @Test(
    arguments: [
      "watch milk --due today --place shop", "list --watch milk --due today --place shop",
      "list --watch --search milk --due today --place shop",
    ])
  func editedItem_entersAndLeavesWindow(line: String) async {
    async let run = bench.run(line)
    await probe.waitForWindow(with: "Waiting for the list")
    service.emit(
      .snapshotPage([
        item(1, "Buy milk", due: date(29), place: "Shop", at: 1), item(2, "Fresh milk", place: "Shop", at: 2),
      ]), .snapshotEnd(Revision(2)))
    let first = await probe.waitForWindow(with: "Today (1 of 1)")
    #expect(first.contains(">  1  Buy milk"))
    #expect(!first.contains("Fresh milk"))

    emitEdit(item(2, "Fresh milk", due: date(29), place: "Shop", at: 3))
    let second = await probe.waitForWindow(with: "Today (2 of 2)")
    #expect(second.contains("  *2  Fresh milk"))

    emitEdit(item(1, "Buy bread", due: date(29), place: "Shop", at: 4))
    let third = await probe.waitForWindow(with: "Today (1 of 2)")
    #expect(!third.contains("Buy"))

    emitEdit(item(2, "Fresh milk", due: date(29), place: "Market", at: 5))
    await probe.waitForWindow(with: "No item matches.")
    probe.type("q")
    #expect(await run.status == .success)
    #expect(service.starts == [.snapshot])
    #expect(service.states == [.all])
  }

  @Test(arguments: [
    "watch --due today --or --place market --no-text bread", "ui --due today --or --place market --no-text bread",
    "list --watch --due today --or --place market --no-text bread",
  ])
  func or_showsItemsOfEachGroup(line: String) async {
    async let run = bench.run(line)
    await probe.waitForWindow(with: "Waiting for the list")
    service.emit(
      .snapshotPage([
        item(1, "Buy milk", due: date(29), at: 1), item(2, "Fish", place: "Market", at: 2),
        item(3, "Bread", place: "Market", at: 3), item(4, "Rent", at: 4),
      ]), .snapshotEnd(Revision(4)))
    let first = await probe.waitForWindow(with: "1 of 2")
    #expect(first.contains("Buy milk") && first.contains("Fish"))
    #expect(first.contains("(due today) or (at market · not /br"))

    emitEdit(item(2, "Bread and fish", place: "Market", at: 5))
    let second = await probe.waitForWindow(with: "1 of 1")
    #expect(second.contains("Buy milk") && !second.contains("fish"))
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test(arguments: ["watch", "ui"]) func noText_hidesItemsThatItsWordsFind(_ command: String) async {
    async let run = bench.run("\(command) --no-text milk")
    service.emit(.snapshotPage([item(1, "Buy milk", at: 1), item(2, "Fish", at: 2)]), .snapshotEnd(Revision(2)))
    let window = await probe.waitForWindow(with: "1 of 1")
    #expect(window.contains("Fish") && !window.contains("Buy"))
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test(arguments: [
    ("--or", "'--or' must be between two groups of filters"),
    ("--or --due today", "'--or' must be between two groups of filters"),
    ("milk --or --due someday", "'someday' is not a date or time"), ("--no-text ''", "'--no-text' has no words"),
    ("milk --or --priority huge", "huge"),
  ])
  func or_whenInvalid_isRejected(_ options: String, _ message: String) async {
    for command in ["watch", "ui", "list --watch"] {
      let run = await bench.run("\(command) \(options)")
      #expect(run.status == .usage)
      #expect(run.error.contains(message), "\(run.error)")
    }
    #expect(probe.log == [])
    #expect(service.starts == [])
  }

  @Test func due_whenDayChanges_selectsItemsOfNewDay() async {
    async let run = bench.run("watch --due today")
    service.emit(.snapshotPage([item(1, "Milk", due: date(30), at: 1)]), .snapshotEnd(Revision(1)))
    await probe.waitForWindow(with: "No item matches.")
    bench.clock.advance(by: .seconds(86_400))
    probe.send(.idle)
    #expect(await probe.waitForWindow(with: "Today (1 of 1)").contains(">  1  Milk  today"))
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test func due_whenTimePasses_selectsOverdueItem() async {
    async let run = bench.run("watch --due overdue")
    let due = DueDate.time(Timestamp(microseconds: TestBench.start.microseconds + 60_000_000))
    service.emit(.snapshotPage([item(1, "Milk", due: due, at: 1)]), .snapshotEnd(Revision(1)))
    await probe.waitForWindow(with: "No item matches.")
    bench.clock.advance(by: .seconds(120))
    probe.send(.idle)
    #expect(await probe.waitForWindow(with: "Overdue (1 of 1)").contains(">! 1  Milk"))
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test(arguments: ["someday", "before"]) func due_whenInvalid_isRejectedAsByList(_ when: String) async {
    let run = await bench.run("watch --due \(when)")
    #expect(run.status == .usage)
    #expect(await bench.run("list --due \(when)") == run)
    #expect(probe.log == [])
    #expect(service.starts == [])
  }

  @Test(arguments: [
    ("watch milk --json", ItemFilter(text: "milk")), ("watch --place shop --snapshot", ItemFilter(place: "shop")),
    ("list --watch --search milk --json", ItemFilter(text: "milk")),
    ("watch --no-text milk --after 3", ItemFilter(excludedText: "milk")), ("watch --json", ItemFilter()),
    (
      "watch milk --or --tag home --json",
      ItemFilter(alternatives: [ItemFilter(text: "milk"), ItemFilter(tags: TagFilter(all: ["home"]))])
    ),
    ("watch --not --tag home --json", ItemFilter(exclusions: [ItemFilter(tags: TagFilter(all: ["home"]))])),
  ])
  func filter_whenEventsArePrinted_isThatOfWatch(line: String, filter: ItemFilter) async {
    service.script(.end)
    #expect(await bench.run(line).status == .success)
    #expect(service.filters == [filter])
  }

  @Test func window_showsItemsThatServiceDoesNotFilter() async {
    async let run = bench.run("watch milk")
    await probe.waitForWindow(with: "Waiting for the list")
    #expect(service.filters == [ItemFilter()])
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test func itemThatLeaves_isPrinted() async throws {
    let bench = TestBench()
    let probe = ScreenProbe()
    probe.attach(to: bench, isTerminal: false)
    await bench.run("add 'Oat milk'")
    async let run = bench.run("watch milk --snapshot")
    await probe.wait(for: "\"type\": \"snapshot\"")
    // A bench keeps the output of one run.
    await TestBench(lists: bench.lists).run("edit 1 --title Tea")
    await probe.wait(for: "unmatched")
    probe.send(.interrupted)
    let lines = await run.output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[2].hasPrefix("{\"type\": \"unmatched\", \"revision\": 2, \"last\": true, "))
    #expect(lines[2].hasSuffix("\"done\": false}"))
  }
}
