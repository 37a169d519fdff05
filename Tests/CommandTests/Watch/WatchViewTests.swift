import Testing
import ToDoClient
import ToDoModel

@testable import todo

@Suite struct WatchViewTests {
  /// Returns the nth item of a list.
  private func item(
    _ number: UInt64, _ title: String, due: CalendarDate? = nil, place: String? = nil, done: Bool = false,
    at revision: Int64 = 1
  ) -> ToDoItem {
    ToDoItem(
      id: TestBench.id(number), number: ItemNumber(Int64(number)),
      content: ItemContent(title: title, due: due.map(DueDate.date), location: place.map { Location(name: $0) }),
      createdAt: Timestamp(microseconds: Int64(number)), updatedAt: Timestamp(microseconds: 0),
      completedAt: done ? Timestamp(microseconds: 0) : nil, revision: Revision(revision))
  }

  private func list(_ toDo: [ToDoItem], done: [ToDoItem] = [], at revision: Int64 = 1) -> ToDoList {
    ToDoList(toDo: toDo, done: done, revision: Revision(revision))
  }

  private func view(_ list: ToDoList?, _ section: ListSection = .all, _ connection: ConnectionState? = nil) -> WatchView
  {
    var view = WatchView(showing: section, connection: connection)
    if let list { view.show(list, at: .zero) }
    return view
  }

  private func frame(_ view: WatchView, rows: Int = 7, columns: Int = 60, colored: Bool = false) -> [String] {
    view.frame(
      in: WindowSize(rows: rows, columns: columns), at: TestBench.start, in: CentralEuropeanZone(),
      Palette(isColored: colored))
  }

  private var full: ToDoList {
    list(
      [
        item(2, "Pay the rent", due: CalendarDate(year: 2026, month: 4, day: 28)),
        item(1, "牛乳を買う", place: "Corner\u{1B}shop"),
      ], done: [item(3, "Call Ann", done: true)])
  }

  @Test func frame_containsListAndStatusLine() {
    #expect(
      frame(view(full, .all, .connected)) == [
        "To do (2)",
        "! 2  Pay the rent  yesterday",
        "  1  牛乳を買う               Corner\\u{1B}shop",
        "",
        "Done (1)",
        "  3  Call Ann",
        "connected · 2 to do, 1 done · q quits · revision 1",
      ])
  }

  @Test func frame_fillsWindow() {
    for rows in 1...12 { #expect(frame(view(full), rows: rows).count == rows) }
    for columns in 20...70 {
      for line in frame(view(full), columns: columns) { #expect(line.displayWidth <= columns) }
    }
  }

  @Test func frame_beforeFirstList_printsNotice() {
    #expect(
      frame(view(nil, .all, .connecting), rows: 3) == ["Waiting for the list", "", "connecting · q quits"])
  }

  @Test func frame_whenListIsEmpty_printsHint() {
    #expect(
      frame(view(list([], at: 0)), rows: 2) == [
        "The list is empty. Add an item with: todo add 'Buy milk'", "0 to do, 0 done · q quits · revision 0",
      ])
  }

  @Test(
    arguments: [
      (.todo, "To do (2)", ""), (.done, "Done (1)", "  3  Call Ann"),
    ] as [(ListSection, String, String)])
  func frame_whenSectionIsSet_showsSection(section: ListSection, first: String, second: String) {
    let lines = frame(view(full, section))
    #expect(lines[0] == first)
    #expect(lines.contains("Done (1)") == (section == .done))
    #expect(second.isEmpty || lines[1] == second)
  }

  @Test func changedItems_forOneSecond_areHighlighted() {
    var view = view(list([item(1, "Milk"), item(2, "Rent")]))
    view.show(list([item(2, "Rent")], done: [item(1, "Milk", done: true, at: 2)], at: 2), at: .seconds(5))
    #expect(frame(view)[4] == " *1  Milk")
    #expect(frame(view, colored: true)[4] == "\u{1B}[7m *1  Milk\u{1B}[0m")
    view.advance(to: .milliseconds(5999))
    #expect(view.hasHighlights)
    view.advance(to: .seconds(6))
    #expect(!view.hasHighlights)
    #expect(frame(view)[4] == "  1  Milk")
  }

  @Test func changedItems_whenListsWereSkipped_areAllHighlighted() {
    var view = view(list([item(1, "Milk"), item(2, "Rent"), item(3, "Ann")]))
    view.show(list([item(1, "Milk", at: 2), item(2, "Rent", at: 9), item(3, "Ann")], at: 9), at: .zero)
    #expect(frame(view).prefix(4).map { $0.prefix(2) } == ["To", " *", " *", "  "])
  }

  @Test func firstList_hasNoHighlights() {
    #expect(!view(full).hasHighlights)
  }

  @Test func longList_scrollsWithinBounds() {
    var view = view(list((1...10).map { item($0, "Item \($0)") }, done: [item(11, "Done", done: true)]))
    let size = WindowSize(rows: 6, columns: 70)
    func position(after key: Key) -> String {
      view.handle(key, in: size)
      return frame(view, rows: 6, columns: 70)[5]
    }
    #expect(
      frame(view, rows: 6, columns: 80)[5] == "10 to do, 1 done · lines 1-5 of 14 · q quits · j k scroll · revision 1")
    #expect(position(after: .up).contains("lines 1-5 of 14"))
    #expect(position(after: .down).contains("lines 2-6 of 14"))
    #expect(frame(view, rows: 6)[0] == "   1  Item 1")
    #expect(position(after: .pageDown).contains("lines 6-10 of 14"))
    #expect(position(after: .pageDown).contains("lines 10-14 of 14"))
    #expect(frame(view, rows: 6)[4] == "  11  Done")
    #expect(position(after: .pageUp).contains("lines 6-10 of 14"))
    #expect(position(after: .bottom).contains("lines 10-14 of 14"))
    #expect(position(after: .top).contains("lines 1-5 of 14"))
  }

  @Test(arguments: 20...59) func foldedList_scrollsToItsLastLine(columns: Int) {
    var view = view(full)
    #expect(frame(view, rows: 10, columns: columns).contains("     yesterday"))
    view.handle(.bottom, in: WindowSize(rows: 4, columns: columns))
    let lines = frame(view, rows: 4, columns: columns)
    #expect(lines[1...2] == ["Done (1)", "  3  Call Ann"])
  }

  @Test func offset_whenListShrinks_isClamped() {
    var view = view(list((1...10).map { item($0, "Item \($0)") }))
    view.handle(.bottom, in: WindowSize(rows: 6, columns: 60))
    view.show(list([item(1, "Item 1")], at: 2), at: .zero)
    view.clampOffset(in: WindowSize(rows: 6, columns: 60))
    #expect(frame(view, rows: 6)[0] == "To do (1)")
  }

  @Test func matcher_limitsFrameToMatchingItems() {
    var view = view(full, .all, .connected)
    view.matcher = ItemMatcher(text: "SHOP")
    #expect(
      frame(view, rows: 4) == [
        "To do (1)", "  1  牛乳を買う  Corner\\u{1B}shop", "", "connected · 1 to do, 0 done · q quits · revision 1",
      ])
    view.matcher = ItemMatcher(filter: ItemFilter(due: .unset))
    #expect(frame(view).contains("connected · 1 to do, 1 done · q quits · revision 1"))
    view.matcher = ItemMatcher(text: "ann", filter: ItemFilter(place: "shop"))
    #expect(
      frame(view, rows: 2) == ["No item matches.", "connected · 0 to do, 0 done · q quits · revision 1"])
    view.matcher = nil
    #expect(frame(view) == frame(self.view(full, .all, .connected)))
  }

  @Test func matcher_limitsScrolling() {
    var view = view(list((1...10).map { item($0, $0 > 8 ? "Milk \($0)" : "Rent \($0)") }))
    view.handle(.bottom, in: WindowSize(rows: 6, columns: 60))
    view.matcher = ItemMatcher(text: "milk")
    view.clampOffset(in: WindowSize(rows: 6, columns: 60))
    #expect(frame(view, rows: 4).prefix(3) == ["To do (2)", "   9  Milk 9", "  10  Milk 10"])
    #expect(!frame(view, rows: 4)[3].contains("lines"))
  }

  @Test func editedItem_entersAndLeavesFilter() {
    var view = view(list([item(1, "Milk"), item(2, "Rent")]))
    view.matcher = ItemMatcher(text: "milk")
    #expect(frame(view).prefix(3) == ["To do (1)", "  1  Milk", ""])
    view.show(list([item(1, "Bread", at: 2), item(2, "Oat milk", at: 3)], at: 3), at: .zero)
    #expect(frame(view).prefix(3) == ["To do (1)", " *2  Oat milk", ""])
    view.advance(to: .seconds(1))
    view.show(list([item(1, "Bread", at: 2), item(2, "Rent", at: 4)], at: 4), at: .seconds(1))
    #expect(frame(view)[0] == "No item matches.")
    // An item that is not shown is not highlighted.
    #expect(!view.hasHighlights)
  }

  @Test func statusLine_whenDisconnected_isHighlighted() {
    #expect(frame(view(full, .all, .disconnected))[6].hasPrefix("disconnected, reconnecting · 2 to do"))
    #expect(frame(view(full, .all, .disconnected), colored: true)[6].hasPrefix("\u{1B}[31mdisconnected"))
  }
}
