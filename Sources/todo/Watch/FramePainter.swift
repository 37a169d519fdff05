/// Produces the output that changes the screen from one frame to the next. Only lines that differ are written, as one
/// synchronized update if the terminal supports it.
struct FramePainter {
  private var shown: [String]?

  /// Discards the previous frame, because the screen has been overwritten or resized. The next frame is painted in full.
  mutating func invalidate() {
    shown = nil
  }

  /// Returns the output that shows a frame, or `nil` if the screen already shows it.
  ///
  /// - Parameter frame: the lines of the window, from the top.
  mutating func text(for frame: [String]) -> String? {
    defer { shown = frame }
    var text = ""
    for (row, line) in frame.enumerated() where !isShown(line, at: row) {
      // Erased first: behind a line that fills the window, the cursor is still on its last character.
      text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)\u{1B}[0m"
    }
    guard !text.isEmpty || shown == nil else { return nil }
    return Self.begin + (shown == nil ? Self.clear : "") + text + Self.end
  }

  private func isShown(_ line: String, at row: Int) -> Bool {
    guard let shown, row < shown.count else { return false }
    return shown[row] == line
  }

  // Synchronized output. Terminals without support ignore the sequences.
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"
  private static let clear = "\u{1B}[2J"
}
