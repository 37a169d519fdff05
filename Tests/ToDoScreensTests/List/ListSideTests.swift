import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct ListSideTests {
  private typealias Bench = ListScreenBench

  private static func bench(columns: Int, _ items: [ToDoItem]) -> Bench {
    var bench = Bench(items)
    bench.environment.size = WindowSize(rows: 24, columns: columns)
    bench.send(.resized)
    return bench
  }

  private static let items = [
    Bench.item(1, "Oat milk", location: Location(name: "Shop", coordinate: Coordinate(latitude: 48, longitude: 11))),
    Bench.item(2, "Rent"),
  ]

  /// The texts right of the line between the list and the item.
  private static func side(_ bench: Bench) -> [String] {
    bench.drawing.texts.compactMap { $0.split(separator: " │ ", omittingEmptySubsequences: false).dropFirst().first }
      .map(String.init)
  }

  @Test func selectedItem_standsBesideTheListWithItsMap() {
    var bench = Self.bench(columns: 100, Self.items)
    #expect(Self.side(bench).count == 23)
    #expect(Self.side(bench)[0] == "Oat milk")
    #expect(Self.side(bench).contains { $0.contains("◉") })
    bench.press(.down)
    #expect(Self.side(bench)[0] == "Rent")
    #expect(!Self.side(bench).contains { $0.contains("◉") })
    #expect(bench.drawing.texts[2].hasPrefix(">  2  Rent "))
    #expect(bench.drawing.texts[1].hasPrefix("   1  Oat milk  Shop @ "))
  }

  @Test func selectedItem_whenItChanges_isShownAnew() {
    var bench = Self.bench(columns: 120, Self.items)
    bench.put(Bench.item(1, "Soy milk", revision: 2))
    #expect(Self.side(bench)[0] == "Soy milk")
    bench.delete(1)
    #expect(Self.side(bench)[0] == "Rent")
  }

  @Test(arguments: [(99, false), (100, true), (240, true)])
  func lines_fitTheWindow(columns: Int, isWide: Bool) {
    var item = Bench.item(1, String(repeating: "A long title ", count: 20))
    item.content.itemDescription = String(repeating: "A long note. ", count: 100)
    let bench = Self.bench(columns: columns, [item])
    #expect(bench.drawing.texts.allSatisfy { $0.displayWidth <= columns })
    #expect(Self.side(bench).isEmpty != isWide)
  }

  @Test func overdueMark_appearsWithTheMinute() {
    let soon = DueDate.time(Timestamp(microseconds: Sample.start.microseconds + 30_000_000))
    var bench = Self.bench(columns: 100, [Bench.item(1, "Call", due: soon)])
    #expect(!Self.side(bench).contains { $0.contains("overdue") })
    bench.environment.now = Timestamp(microseconds: Sample.start.microseconds + 60_000_000)
    bench.send(.minutePassed)
    #expect(Self.side(bench).contains { $0.contains("overdue") })
  }

  @Test func click_besideTheList_selectsNothing() {
    var bench = Self.bench(columns: 100, Self.items)
    for (column, selected) in [(90, 1), (10, 2)] as [(Int, Int64)] {
      bench.send(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: 2, column: column))))
      #expect(bench.selected == selected)
    }
  }

  @Test func line_whenTheUserTypesCommands_hasNoItemBesideIt() {
    var bench = Self.bench(columns: 200, Self.items)
    bench.environment.takesCommands = true
    bench.send(.resized)
    #expect(Self.side(bench).isEmpty)
  }
}
