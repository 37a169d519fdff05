package import ToDoText

/// A drawing of the screens as lines of text without styles.
package struct LineDrawing: Equatable {
  /// The lines above the status line, without empty lines at the end.
  private let lines: [String]
  /// The indices of the selected lines.
  private let selected: Set<Int>
  private let status: String

  /// - Parameter window: the lines of the window. Selected lines are highlighted.
  package init(_ window: [StyledText]) {
    let body = window.dropLast()
    selected = Set(body.indices.filter { body[$0].contains(.highlighted) })
    status = Self.plainText(window.last ?? "")
    var lines = body.map(Self.plainText)
    while lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
  }

  /// Returns the lines to print after another drawing: the selected lines if nothing but the selection has changed, or else
  /// all lines. The status is the last line.
  package func text(after previous: LineDrawing?) -> [String] {
    let differsInSelection = previous?.linesWithoutMarks == linesWithoutMarks && !selected.isEmpty
    let shown = differsInSelection ? selected.sorted().filter(lines.indices.contains).map { lines[$0] } : lines
    return shown + (status.isEmpty ? [] : [status])
  }

  /// The lines without the mark in the first column that precedes a selected line.
  private var linesWithoutMarks: [String] {
    lines.enumerated().map { index, line in
      selected.contains(index) && line.hasPrefix(">") ? " " + line.dropFirst() : line
    }
  }

  /// Returns a line without styles and without blanks at its end.
  private static func plainText(_ line: StyledText) -> String {
    var text = line.text.unicodeScalars
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
