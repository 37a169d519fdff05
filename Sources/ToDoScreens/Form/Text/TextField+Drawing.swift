import ToDoText

extension TextField {
  /// The visible part of a text of one line.
  struct VisibleText: Equatable, Sendable {
    var text: String
    /// The column of the cursor in the text.
    var cursor: Int
  }

  /// Returns the part around the cursor that fits into a number of columns, which must be at least 4. An ellipsis replaces
  /// what is cut off.
  ///
  /// The part moves by half a width, so it depends on nothing but the text and the cursor, and is stable while the cursor
  /// moves within it.
  func visibleText(width: Int) -> VisibleText {
    let widths = cells.map(\.width)
    var (start, column) = (0, widths[..<cursor].reduce(0, +))
    // A wide character at the cursor and an ellipsis follow.
    while column > width - 3, start < cursor {
      var step = 0
      while step < max(1, width / 2), start < cursor {
        step += widths[start]
        start += 1
      }
      column = widths[start..<cursor].reduce(1, +)
    }
    var (text, used) = (start > 0 ? "…" : "", start > 0 ? 1 : 0)
    var rest = widths[start...].reduce(0, +)
    for index in start..<cells.count {
      guard used + widths[index] < width || used + rest <= width else {
        text += "…"
        break
      }
      text += cells[index].text
      used += widths[index]
      rest -= widths[index]
    }
    return VisibleText(text: text, cursor: column)
  }

  /// Returns the start of the text, truncated to a number of columns.
  func truncatedText(width: Int) -> String {
    cells.lazy.map(\.text).joined().truncated(toWidth: width)
  }
}
