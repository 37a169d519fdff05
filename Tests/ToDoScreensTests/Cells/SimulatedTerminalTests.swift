import Testing
import ToDoTestScreens

@testable import ToDoScreens

@Suite struct SimulatedTerminalTests {
  private func terminal(_ output: String, rows: Int = 2, columns: Int = 6) -> SimulatedTerminal {
    var terminal = SimulatedTerminal(WindowSize(rows: rows, columns: columns))
    terminal.feed(output)
    return terminal
  }

  @Test func feed_ofText_writesCells() {
    #expect(terminal("ab\u{1B}[2;3Hc牛").lines == ["ab", "  c牛"])
    #expect(terminal("e\u{301}\u{200B}x").lines == ["e\u{301}\u{200B}x", ""])
  }

  @Test func feed_whenWideCharacterIsOverwritten_blanksItsOtherHalf() {
    #expect(terminal("a牛b\u{1B}[1;3Hx").lines == ["a xb", ""])
    #expect(terminal("a牛b\u{1B}[1;2Hx").lines == ["ax b", ""])
    #expect(terminal("a牛b\u{1B}[1;3H\u{1B}[K").lines == ["a", ""])
  }

  @Test func feed_inLastColumn_leavesCursorThere() {
    #expect(terminal("abcdefX").lines == ["abcdeX", ""])
    #expect(terminal("abcdef\u{1B}[K").lines == ["abcde", ""])
    #expect(terminal("\u{1B}[?7habcdefX").lines == ["abcdef", "X"])
    #expect(terminal("abcde牛").skipped == ["a wide character at the right edge"])
  }

  @Test func feed_ofUnknownSequences_recordsThem() {
    #expect(terminal("\u{1B}[5Aa\u{1B}]52;c;eA==\u{7}b\n").skipped == ["[5A", "]52;c;eA==", "control character [10]"])
  }

  @Test func styledText_describesStylesAndCursor() {
    let terminal = terminal("\u{1B}[1;31mab\u{1B}[0m c\u{1B}[2H\u{1B}[48;5;237m\u{1B}[K\u{1B}[38;2;1;2;255mx")
    #expect(
      terminal.styledText == """
        ab c
        x
        ---
        1: 1-2 bold red
        2: 1-1 #0102ff on color 237, 2-6 on color 237
        cursor 2:2

        """)
    #expect(self.terminal("\u{1B}[?25l").styledText == "\n\n---\nno cursor\n")
  }
}
