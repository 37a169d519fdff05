import Testing

@testable import todo

@Suite struct FramePainterTests {
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"

  // The line is erased first: behind a text that fills the window, the cursor is still on its last character.
  private func row(_ number: Int, _ text: String) -> String { "\u{1B}[\(number);1H\u{1B}[K\(text)\u{1B}[0m" }

  @Test func text_ofFirstFrame_paintsEveryLine() {
    var painter = FramePainter()
    #expect(
      painter.text(for: ["a", ""]) == Self.begin + "\u{1B}[2J" + row(1, "a") + row(2, "") + Self.end)
  }

  @Test func text_ofNextFrame_paintsChangedLines() {
    var painter = FramePainter()
    _ = painter.text(for: ["a", "b", "c"])
    #expect(painter.text(for: ["a", "x", "c"]) == Self.begin + row(2, "x") + Self.end)
    #expect(painter.text(for: ["a", "x", "c"]) == nil)
  }

  @Test func text_afterInvalidate_paintsEveryLine() {
    var painter = FramePainter()
    let first = painter.text(for: ["a"])
    painter.invalidate()
    #expect(painter.text(for: ["a"]) == first)
  }
}
