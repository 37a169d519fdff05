import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoScreens

/// Tests of the messages in the status line, which no failure must leave before the user has seen it.
@Suite struct StatusMessagesTests {
  private let milk = ToDoItem.listed(1, "Milk")
  private let rent = ToDoItem.listed(2, "Rent")

  private var bench: CoordinatorBench { CoordinatorBench([milk, rent], columns: 100) }

  private func failed(_ item: ToDoItem, _ reason: String) -> ScreenEvent {
    .result(.changed(item.id, .checked, .failure(EffectFailure(kind: .other, message: reason))))
  }

  /// A success after which an item is checked, at a revision that the list does not have yet.
  private func checked(_ item: ToDoItem) -> ScreenEvent { .result(.changed(item.id, .checked, .success(Revision(2)))) }

  @Test(arguments: [true, false]) func failure_withSuccessInSameTurn_isShown(failsFirst: Bool) {
    var bench = bench
    bench.press(.character(" "), .down, .character(" "))
    let events = [failed(milk, "the list is full"), checked(rent)]
    for event in failsFirst ? events : events.reversed() { bench.sendBeforeDrawing(event) }
    #expect(bench.statusLine.hasPrefix("the list is full · u undo: checked 'Rent'"))
    bench.press(.up)
    #expect(bench.statusLine.hasPrefix("1 of 2"))
  }

  @Test func failure_beforeItIsDrawn_outlivesKeys() {
    var bench = bench
    bench.press(.character(" "))
    bench.sendBeforeDrawing(failed(milk, "the list is full"))
    bench.sendBeforeDrawing(.key(.down))
    bench.sendBeforeDrawing(.key(.character("?")))
    #expect(bench.statusLine.hasPrefix("the list is full"))
    bench.press(.down)
    #expect(!bench.statusLine.contains("full"))
  }

  @Test func failure_whileFormReceivesKeys_isShown() {
    var bench = bench
    bench.press(.character(" "), .character("A"))
    bench.sendBeforeDrawing(.key(.character("B")))
    bench.sendBeforeDrawing(failed(milk, "the list is full"))
    for key in "read" { bench.sendBeforeDrawing(.key(.character(key))) }
    #expect(bench.shownLines[1] == "> title    Bread")
    #expect(bench.statusLine.hasPrefix("the list is full"))
    bench.type("s")
    #expect(!bench.statusLine.contains("full"))
  }

  @Test func failure_whileFormAsks_isAboveTheQuestion() {
    var bench = bench
    bench.press(.character(" "), .character("A"), .character("x"), .escape)
    bench.send(failed(milk, "the list is full"))
    #expect(bench.shownLines.suffix(2) == ["the list is full", "Discard the changes? y/n"])
  }

  @Test func failure_ofItemInDetails_isCountedOnce() {
    var bench = bench
    bench.press(.enter)
    bench.send(failed(milk, "the list is full"))
    #expect(bench.statusLine.hasPrefix("the list is full"))
  }

  @Test func severalFailures_areCounted() {
    var bench = bench
    for _ in 0..<3 { bench.send(failed(milk, "the list is full")) }
    #expect(bench.statusLine.hasPrefix("3 changes failed: the list is full"))
    bench.send(failed(rent, "permission denied"))
    #expect(bench.statusLine.hasPrefix("4 changes failed, the last one: permission denied · Ctrl-G shows all"))
    bench.environment.takesCommands = true
    #expect(bench.statusLine.hasPrefix("4 changes failed, the last one: permission denied · 'messages' shows all"))
    bench.press(.down)
    bench.send(failed(rent, "permission denied"))
    #expect(bench.statusLine.hasPrefix("permission denied"))
  }

  @Test func key_showsLastMessages() {
    var bench = bench
    bench.press(.control("g"))
    #expect(bench.shownLines.first == "No change was made or failed yet.")
    bench.press(.control("g"), .character(" "))
    bench.send(checked(milk))
    bench.send(failed(rent, "the list is full"))
    // A form keeps its text.
    bench.press(.character("A"), .character("x"), .control("g"))
    #expect(bench.shownLines.prefix(3) == ["10:15  the list is full", "10:15  checked 'Milk'", ""])
    #expect(bench.statusLine.hasPrefix("Esc close"))
    bench.press(.escape)
    #expect(bench.stack == ["list", "form"])
    #expect(bench.shownLines[1] == "> title    x")
  }

  @Test func messages_inNarrowWindow_areWrappedAndScroll() {
    var bench = CoordinatorBench([milk], rows: 4, columns: 20)
    bench.send(failed(milk, "the list is full; delete items"))
    bench.press(.control("g"))
    #expect(bench.shownLines.prefix(3) == ["10:15  the list is", "full; delete items", ""])
    for _ in 0..<3 { bench.send(failed(milk, "no")) }
    bench.press(.control("g"), .control("g"))
    #expect(bench.shownLines.prefix(3) == ["10:15  no", "10:15  no", "10:15  no"])
    bench.press(.end)
    #expect(bench.shownLines.prefix(3) == ["10:15  no", "10:15  the list is", "full; delete items"])
  }

  @Test func latest_isBounded() {
    var messages = StatusMessages()
    for index in 0...StatusMessages.limit { messages.add("\(index)", at: Sample.start) }
    #expect(messages.latest.count == StatusMessages.limit)
    #expect(messages.latest.last?.text == "\(StatusMessages.limit)")
  }
}
