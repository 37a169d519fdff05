import Testing
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

/// Paints random drawings one over another, and compares the screen with one that shows the last drawing only.
@Suite struct PaintingPropertyTests {
  private static let clusters = [
    "a", "b", "z", " ", " ", "  ", "é", "e\u{301}", "牛", "乳", "🥛", "👨‍👩‍👧‍👦", "🇩🇪", "1️⃣", "❤️", "क्ष", "ש", "ل",
    "\u{200B}", "⠿", "─", "\u{7}", "\u{1B}", "각", "aaaaaaaaaa", "          ",
  ]

  /// Returns a random line.
  private static func line(_ generator: inout SeededGenerator) -> StyledText {
    var line = StyledText()
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      var text = ""
      for _ in 0..<Int.random(in: 1...4, using: &generator) { text += clusters.randomElement(using: &generator) ?? "" }
      line.append(text, style(&generator))
    }
    return line
  }

  /// Returns a random style, most often `plain`.
  private static func style(_ generator: inout SeededGenerator) -> TextStyle {
    Bool.random(using: &generator) ? TextStyle.allCases.randomElement(using: &generator) ?? .plain : .plain
  }

  /// Changes some lines: replaces them, changes their start, or swaps them.
  private static func change(_ lines: inout [StyledText], _ generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let row = Int.random(in: lines.indices, using: &generator)
      switch Int.random(in: 0...3, using: &generator) {
      case 0: lines[row] = clusters.randomElement(using: &generator).map { StyledText($0) + lines[row] } ?? ""
      case 1: lines[row] = StyledText(String(lines[row].text.dropLast()), style(&generator))
      case 2: lines.swapAt(row, 0)
      default: lines[row] = line(&generator)
      }
    }
  }

  private static func cursor(in size: WindowSize, _ generator: inout SeededGenerator) -> ScreenPosition? {
    guard Bool.random(using: &generator) else { return nil }
    let row = Int.random(in: 0..<size.rows, using: &generator)
    return ScreenPosition(row: row, column: Int.random(in: 0..<size.columns, using: &generator))
  }

  @Test(arguments: [ColorDepth.none, .sixteen, .indexed, .trueColor], 0..<8 as Range<UInt64>)
  func output_ofRandomDrawings_showsLastDrawing(depth: ColorDepth, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let theme = ScreenTheme(depth: depth)
    var size = WindowSize(rows: 5, columns: 24)
    var painter = ScreenPainter(theme: theme)
    var screen = SimulatedTerminal(size, filler: "#")
    var lines = Array(repeating: StyledText(), count: 5)
    for step in 0..<60 {
      Self.change(&lines, &generator)
      if Int.random(in: 0..<15, using: &generator) == 0 {
        // Another width. The painter does not notice a window of the same size.
        let columns = Int.random(in: 1...29, using: &generator)
        size.columns = columns < size.columns ? columns : columns + 1
        screen = SimulatedTerminal(size, filler: "#")
      }
      if Int.random(in: 0..<20, using: &generator) == 0 { painter.invalidate() }
      let cursor = Self.cursor(in: size, &generator)
      screen.feed(painter.output(lines: lines, cursor: cursor, size: size))
      let expected = Self.screen(lines, cursor, size, theme)
      guard screen.cells == expected.cells else {
        Issue.record("step \(step): \(screen.styledText)\nexpected: \(expected.styledText)")
        return
      }
      #expect(screen.skipped.isEmpty && screen.modes == expected.modes && screen.style == SimulatedStyle())
      if let cursor { #expect(screen.cursor == cursor) }
    }
  }

  /// Returns the screen of a drawing.
  private static func screen(
    _ lines: [StyledText], _ cursor: ScreenPosition?, _ size: WindowSize, _ theme: ScreenTheme
  ) -> SimulatedTerminal {
    var painter = ScreenPainter(theme: theme)
    var screen = SimulatedTerminal(size)
    screen.feed(painter.output(lines: lines, cursor: cursor, size: size))
    return screen
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func output_ofRandomDrawing_showsItsCells(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = WindowSize(rows: 20, columns: 30)
    let lines = (0..<size.rows).map { _ in Self.line(&generator) }
    let screen = Self.screen(lines, nil, size, ScreenTheme(depth: .sixteen))
    for (row, line) in lines.enumerated() {
      let texts = CellRow(line, columns: size.columns).cells.map(\.text.string)
      #expect(screen.cells[row].map(\.text) == texts)
    }
  }
}
