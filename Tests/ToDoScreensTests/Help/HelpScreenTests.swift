import Testing
import ToDoModel
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct HelpScreenTests {
  private func bench(rows: Int = 24, columns: Int = 80) -> SingleScreenBench<HelpScreen> {
    SingleScreenBench(HelpScreen(), [], rows: rows, columns: columns)
  }

  @Test(arguments: [.escape, .character("q"), .character("?")] as [KeyPress])
  func key_closesScreen(key: KeyPress) {
    var bench = bench()
    #expect(bench.press(key) == [.outcome(.closed)])
  }

  @Test(arguments: [.down, .pageDown, .end, .enter, .left, .character("x")] as [KeyPress])
  func otherKey_hasNoActions(key: KeyPress) {
    var bench = bench()
    #expect(bench.press(key).isEmpty)
  }

  @Test func drawing_at40x12_hasOneColumn() {
    var bench = bench(rows: 12, columns: 40)
    #expect(
      bench.drawing.texts.prefix(5) == [
        "List", "  ↑ ↓ j k", "    select an item", "  PageUp PageDown", "    move by a page",
      ])
    #expect(bench.drawing.hints == [KeyHint("Esc", "close"), KeyHint("↑ ↓", "scroll")])
    bench.press(.down)
    #expect(bench.drawing.texts.first == "  ↑ ↓ j k")
    bench.press(.end)
    #expect(
      bench.drawing.texts.suffix(7) == [
        "Everywhere", "  Ctrl-G", "    show the last messages", "  Ctrl-L", "    redraw the window", "  Ctrl-Z",
        "    suspend",
      ])
  }

  @Test func drawing_atGroup_beginsWithItsKeys_untilItIsScrolled() {
    var bench = SingleScreenBench(HelpScreen(at: KeyTable.lists), [], rows: 12, columns: 40)
    #expect(bench.drawing.texts.first == "Lists")
    bench.resize(rows: 12, columns: 60)
    #expect(bench.drawing.texts.first == "Lists")
    bench.press(.character("x"))
    #expect(bench.drawing.texts.first == "Lists")
    bench.press(.down)
    #expect(bench.drawing.texts.first?.hasPrefix("  ↑ ↓ j k wheel") == true)
    bench.press(.home)
    #expect(bench.drawing.texts.first == "List")
    // The right column, and the end of the table.
    var wide = SingleScreenBench(HelpScreen(at: KeyTable.members), [], rows: 12, columns: 120)
    #expect(wide.drawing.texts.contains { $0.contains("Members") })
    wide.press(.end)
    #expect(wide.drawing.texts.contains { $0.contains("Ctrl-Z") })
  }

  @Test func drawing_at80x24_alignsActions() {
    let drawing = bench().drawing
    #expect(drawing.texts.count == 23)
    #expect(
      drawing.texts.prefix(3) == [
        "List", "  ↑ ↓ j k            select an item", "  PageUp PageDown    move by a page",
      ])
  }

  @Test func drawing_whenWide_hasTwoColumns() throws {
    let lines = bench(rows: 60, columns: 120).drawing.texts
    let first = try #require(lines.first)
    #expect(first.hasPrefix("List  "))
    let shown = lines.joined()
    for group in KeyTable.groups { #expect(shown.contains(group.title)) }
    #expect(bench(rows: 60, columns: 120).drawing.hints == [KeyHint("Esc", "close")])
  }

  @Test func drawing_showsEachKeyInFull() {
    for columns in [30, 46, 47, 80, 95, 120, 400] {
      let text = bench(rows: 200, columns: columns).drawing.texts.joined(separator: "\n")
      #expect(!text.contains("…"))
      for row in KeyTable.groups.flatMap(\.rows) {
        #expect(text.contains(row.keyText) && text.contains(row.action))
      }
    }
  }

  @Test func drawing_stylesHeadingsAndKeys() {
    let lines = bench(rows: 200).drawing.lines
    let titles = KeyTable.groups.map(\.title)
    for line in lines where !line.text.isEmpty {
      #expect(line.contains(.heading) == titles.contains(line.text))
      #expect(line.contains(.id) != line.contains(.heading))
    }
  }

  @Test func drawing_afterRandomKeys_staysInWindow() {
    var generator = SeededGenerator(seed: 3)
    let keys: [KeyPress] = [.up, .down, .pageUp, .pageDown, .home, .end]
    var bench = bench()
    for _ in 0..<300 {
      bench.press(keys[Int.random(in: 0..<keys.count, using: &generator)])
      bench.resize(
        rows: Int.random(in: 8...120, using: &generator), columns: Int.random(in: 30...400, using: &generator))
      #expect(!bench.drawing.texts.isEmpty && bench.drawing.texts.count <= bench.environment.bodyRows)
      for line in bench.drawing.texts { #expect(line.displayWidth <= bench.environment.columns) }
    }
  }
}
