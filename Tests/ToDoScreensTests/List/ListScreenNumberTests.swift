import Testing
import ToDoModel
import ToDoText

@testable import ToDoScreens

@Suite struct ListScreenNumberTests {
  typealias Bench = ListScreenBench

  private static let timer = ScreenAction.perform(.startTimer(.number, .milliseconds(1500)))
  private static let nothingSelected = ScreenAction.message("nothing is selected; move up or down to select an item")

  @Test(arguments: [.character("d"), .character(" "), .character("e"), .character("n"), .enter] as [KeyPress])
  func itemKey_afterUnknownNumber_changesNothing(key: KeyPress) {
    var bench = Bench((1...15 as ClosedRange<UInt64>).map { Bench.item($0) })
    bench.type("9")
    #expect(bench.selected == 9)
    #expect(bench.type("9") == [.message("no item 99"), Self.timer])
    #expect(bench.selected == nil)
    #expect(bench.drawing.status == "#99 · by due date")
    #expect(!bench.drawing.texts.contains { $0.hasPrefix(">") })
    #expect(!bench.drawing.hints.contains { ["space", "Enter", "e", "d"].contains($0.key) })
    #expect(bench.press(key) == [.perform(.cancelTimer(.number)), Self.nothingSelected])
    #expect(bench.selected == nil)
  }

  @Test func digits_afterUnknownNumber_belongToIt() {
    var bench = Bench((1...15 as ClosedRange<UInt64>).map { Bench.item($0) })
    bench.type("99")
    #expect(bench.type("1") == [.message("no item 991"), Self.timer])
    #expect(bench.selected == nil)
    #expect(bench.send(.timer(.number)) == [.message("no item 991")])
    #expect(bench.selected == nil)
    bench.type("1")
    #expect(bench.selected == 1)
  }

  @Test func number_whileItCanBecomeOne_isAwaited() {
    var bench = Bench([1, 2, 120, 37].map { Bench.item($0) })
    bench.type("2")
    bench.send(.timer(.number))
    #expect(bench.type("3") == [Self.timer])
    #expect(bench.selected == nil)
    #expect(bench.type("7") == [Self.timer])
    #expect(bench.selected == 37)
    bench.send(.timer(.number))
    #expect(bench.type("12") == [Self.timer, Self.timer])
    #expect(bench.send(.timer(.number)) == [.message("no item 12")])
    #expect(bench.type("0") == [.message("no item 0"), Self.timer])
  }

  @Test(arguments: [(.down, 8), (.up, 6), (.escape, 7), (.home, 1), (.tab, 15)] as [(KeyPress, Int64)])
  func key_afterUnknownNumber_selectsFromFormerSelection(key: KeyPress, selected: Int64) {
    var bench = Bench((1...14 as ClosedRange<UInt64>).map { Bench.item($0) } + [Bench.item(15, done: true)])
    bench.type("77")
    bench.press(key)
    #expect(bench.selected == selected)
  }

  @Test func deselection_whenItemsChange_remains() {
    var bench = Bench((1...3 as ClosedRange<UInt64>).map { Bench.item($0) })
    bench.type("9")
    bench.delete(1)
    bench.put(Bench.item(9))
    #expect(bench.selected == nil)
    bench.type("/item 9")
    #expect(bench.selected == 9)
  }

  @Test func number_ofFilteredItem_isNamed() {
    var bench = Bench([Bench.item(1, "Milk"), Bench.item(2, "Rent")])
    bench.type("/milk")
    bench.press(.enter)
    #expect(bench.type("2").first == .message("item 2 does not match the filter"))
    #expect(bench.selected == nil)
  }

  @Test func number_whileListLoads_isAwaited() {
    var bench = Bench(waiting: .all)
    bench.apply(.snapshotPage([Bench.item(1)]))
    #expect(bench.type("9") == [Self.timer])
    #expect(bench.selected == nil)
    #expect(bench.send(.timer(.number)) == [.message("no item 9")])
  }
}
