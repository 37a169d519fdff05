import Testing
import ToDoText

@testable import ToDoScreens

@Suite struct ScreenPainterTests {
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"
  private static let clear = begin + "\u{1B}[?25l\u{1B}[m\u{1B}[2J"
  private let size = WindowSize(rows: 3, columns: 20)

  /// Returns what a painter writes to replace one drawing by another, without the marks of a synchronized update.
  private func change(
    _ old: [StyledText], _ new: [StyledText], depth: ColorDepth = .sixteen, columns: Int = 20
  ) -> String? {
    let size = WindowSize(rows: 3, columns: columns)
    var painter = ScreenPainter(theme: ScreenTheme(depth: depth))
    _ = painter.output(lines: old, cursor: nil, size: size)
    guard let output = painter.output(lines: new, cursor: nil, size: size) else { return nil }
    #expect(output.hasPrefix(Self.begin) && output.hasSuffix(Self.end))
    return String(output.dropFirst(Self.begin.count).dropLast(Self.end.count))
  }

  @Test func output_ofFirstDrawing_paintsWindow() {
    var painter = ScreenPainter(theme: ScreenTheme(depth: .sixteen))
    let output = painter.output(lines: ["a", "", "b"], cursor: nil, size: size)
    #expect(output == Self.clear + "\u{1B}[Ha\u{1B}[3Hb" + Self.end)
    #expect(painter.output(lines: ["a", "", "b"], cursor: nil, size: size) == nil)
  }

  @Test func output_afterInvalidate_paintsWindow() {
    var painter = ScreenPainter(theme: ScreenTheme(depth: .sixteen))
    let first = painter.output(lines: ["a"], cursor: nil, size: size)
    painter.invalidate()
    #expect(painter.output(lines: ["a"], cursor: nil, size: size) == first)
  }

  @Test func output_afterResize_paintsWindow() {
    var painter = ScreenPainter(theme: ScreenTheme(depth: .sixteen))
    _ = painter.output(lines: ["abc", "d"], cursor: nil, size: size)
    let output = painter.output(lines: ["abc", "d"], cursor: nil, size: WindowSize(rows: 1, columns: 2))
    #expect(output == Self.clear + "\u{1B}[Hab" + Self.end)
  }

  @Test func output_whenWindowIsEmpty_isHarmless() {
    var painter = ScreenPainter(theme: ScreenTheme(depth: .sixteen))
    let empty = WindowSize(rows: 0, columns: 0)
    #expect(
      painter.output(lines: ["a"], cursor: ScreenPosition(row: 0, column: 0), size: empty) == Self.clear + Self.end)
  }

  @Test(
    arguments: [
      ("abc", "abc", nil),
      ("abc", "axc", "\u{1B}[1;2Hx"),
      ("abc", "abcd", "\u{1B}[1;4Hd"),
      ("a", "a   ", nil),
      // A short gap is written again, a long one is skipped.
      ("a bc d", "x bc y", "\u{1B}[Hx bc y"),
      ("a 12345678 b", "x 12345678 y", "\u{1B}[Hx\u{1B}[1;12Hy"),
      // A few cells are overwritten, many are erased.
      ("abcdef", "abcd", "\u{1B}[1;5H  "),
      ("abcdefgh", "abcd", "\u{1B}[1;5H\u{1B}[K"),
      ("abcdefgh", "", "\u{1B}[H\u{1B}[K"),
      // Both halves of a wide character are written.
      ("牛乳", "牛a", "\u{1B}[1;3Ha "),
      ("ab牛", "a牛", "\u{1B}[1;2H牛 "),
      ("a牛b", "牛ab", "\u{1B}[H牛a"),
      ("é", "e\u{301}", nil),
    ] as [(String, String, String?)])
  func output_whenTextChanges_writesChangedCells(old: String, new: String, output: String?) {
    #expect(change([StyledText(old)], [StyledText(new)]) == output)
  }

  @Test func output_whenRowIsFull_erasesNothing() {
    #expect(change(["abcdef"], ["abcdxy"], columns: 6) == "\u{1B}[1;5Hxy")
    #expect(change(["abcd牛"], ["abcdxy"], columns: 6) == "\u{1B}[1;5Hxy")
    #expect(change(["aaaaaa", "b"], ["cccccc", "d"], columns: 6) == "\u{1B}[Hcccccc\u{1B}[2Hd")
  }

  @Test func output_whenStyleChanges_selectsItOnce() {
    #expect(change(["a b"], [StyledText("a b", .id)]) == "\u{1B}[H\u{1B}[33ma b\u{1B}[m")
    #expect(
      change(["ab"], [StyledText("a", .id) + StyledText("b", .overdue)]) == "\u{1B}[H\u{1B}[33ma\u{1B}[31mb\u{1B}[m")
    #expect(
      change(["ab"], [StyledText("a", .heading) + StyledText("b", .faint)]) == "\u{1B}[H\u{1B}[1ma\u{1B}[0;2mb\u{1B}[m")
    #expect(change(["ab"], [StyledText("ab", .id)], depth: .none) == "\u{1B}[Hab")
    #expect(change([StyledText("abcd    ", .highlighted)], [""]) == "\u{1B}[H\u{1B}[K")
    #expect(
      change([StyledText("abc ", .highlighted)], [StyledText("x", .highlighted)]) == "\u{1B}[H\u{1B}[7mx\u{1B}[m   ")
  }

  @Test func output_whenSelected_usesBackground() {
    let output = change(["ab"], [StyledText("ab", .highlighted)], depth: .indexed)
    #expect(output == "\u{1B}[H\u{1B}[38;5;231;48;5;238mab\u{1B}[m")
  }

  @Test func output_whenWidthIsUncertain_addressesNextCell() {
    #expect(change([""], ["❤️ab"]) == "\u{1B}[H❤️\u{1B}[1;3Hab")
    #expect(change([""], ["🥛a"]) == "\u{1B}[H🥛\u{1B}[1;3Ha")
    #expect(change([""], ["牛a"]) == "\u{1B}[H牛a")
  }

  @Test func output_whenRowHasRightToLeftText_writesWholeRow() {
    #expect(change(["ab שלום"], ["ax שלום"]) == "\u{1B}[H\u{1B}[Kax שלום")
    #expect(change(["ab שלום"], ["abc"]) == "\u{1B}[H\u{1B}[Kabc")
    #expect(change(["a שלום"], ["a שלום"]) == nil)
  }

  @Test func output_ofCursor_showsAndHidesIt() {
    var painter = ScreenPainter(theme: ScreenTheme(depth: .sixteen))
    _ = painter.output(lines: ["a"], cursor: nil, size: size)
    let position = ScreenPosition(row: 1, column: 4)
    func output(_ line: String, _ cursor: ScreenPosition?) -> String? {
      painter.output(lines: [StyledText(line)], cursor: cursor, size: size)
        .map { String($0.dropFirst(Self.begin.count).dropLast(Self.end.count)) }
    }
    #expect(output("a", position) == "\u{1B}[2;5H\u{1B}[?25h")
    #expect(output("a", position) == nil)
    #expect(output("a", ScreenPosition(row: 0, column: 0)) == "\u{1B}[H")
    #expect(output("b", ScreenPosition(row: 0, column: 1)) == "\u{1B}[?25l\u{1B}[Hb\u{1B}[?25h")
    #expect(output("b", ScreenPosition(row: 3, column: 1)) == "\u{1B}[?25l")
    #expect(output("b", nil) == nil)
  }

  @Test(arguments: [ColorDepth.sixteen, .indexed, .trueColor])
  func output_whenSelectionMoves_isSmall(depth: ColorDepth) throws {
    let window = WindowSize(rows: 24, columns: 80)
    func lines(selected: Int) -> [StyledText] {
      (0..<24).map { row in
        let text = "  \(row)  Buy milk and eggs for the week   Fri 2026-05-01   Corner shop".padded(toWidth: 80)
        return StyledText(text, row == selected ? .highlighted : .plain)
      }
    }
    var painter = ScreenPainter(theme: ScreenTheme(depth: depth))
    _ = painter.output(lines: lines(selected: 3), cursor: nil, size: window)
    let output = painter.output(lines: lines(selected: 4), cursor: nil, size: window)
    let count = try #require(output).utf8.count
    #expect(count < 300)
  }
}
