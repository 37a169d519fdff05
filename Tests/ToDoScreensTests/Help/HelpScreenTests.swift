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
      bench.drawing.lines.prefix(5) == [
        "List", "  ↑ ↓ j k", "    select an item", "  PageUp PageDown", "    move by a page",
      ])
    #expect(bench.drawing.hints == [KeyHint("Esc", "close"), KeyHint("↑ ↓", "scroll")])
    bench.press(.down)
    #expect(bench.drawing.lines.first == "  ↑ ↓ j k")
    bench.press(.end)
    #expect(
      bench.drawing.lines.suffix(7) == [
        "Everywhere", "  Ctrl-G", "    show the last messages", "  Ctrl-L", "    redraw the window", "  Ctrl-Z",
        "    suspend",
      ])
  }

  @Test func drawing_at80x24_alignsActions() {
    let drawing = bench().drawing
    #expect(drawing.lines.count == 23)
    #expect(
      drawing.lines.prefix(3) == [
        "List", "  ↑ ↓ j k            select an item", "  PageUp PageDown    move by a page",
      ])
  }

  @Test func drawing_whenWide_hasTwoColumns() throws {
    let lines = bench(rows: 40, columns: 120).drawing.lines
    let first = try #require(lines.first)
    #expect(first.hasPrefix("List  "))
    let shown = lines.joined()
    for group in KeyTable.groups { #expect(shown.contains(group.title)) }
    #expect(bench(rows: 40, columns: 120).drawing.hints == [KeyHint("Esc", "close")])
  }

  @Test func drawing_showsEachKeyInFull() {
    for columns in [30, 46, 47, 80, 95, 120, 400] {
      let text = bench(rows: 200, columns: columns).drawing.lines.joined(separator: "\n")
      #expect(!text.contains("…"))
      for row in KeyTable.groups.flatMap(\.rows) {
        #expect(text.contains(row.keyText) && text.contains(row.action))
      }
    }
  }

  @Test func drawing_whenColored_hasSameText() {
    let plain = bench().drawing.lines
    var colored = bench()
    colored.environment.palette = Palette(isColored: true)
    let lines = colored.drawing.lines.map { line in
      line.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[33m", with: "").replacing("\u{1B}[0m", with: "")
    }
    #expect(lines == plain)
  }

  @Test func drawing_afterRandomKeys_staysInWindow() {
    var generator = SeededGenerator(seed: 3)
    let keys: [KeyPress] = [.up, .down, .pageUp, .pageDown, .home, .end]
    var bench = bench()
    for _ in 0..<300 {
      bench.press(keys[Int.random(in: 0..<keys.count, using: &generator)])
      bench.resize(
        rows: Int.random(in: 8...120, using: &generator), columns: Int.random(in: 30...400, using: &generator))
      #expect(!bench.drawing.lines.isEmpty && bench.drawing.lines.count <= bench.environment.bodyRows)
      for line in bench.drawing.lines { #expect(line.displayWidth <= bench.environment.columns) }
    }
  }
}
