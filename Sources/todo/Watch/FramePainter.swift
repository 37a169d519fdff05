/// Makes the text that turns one frame on the screen into the next: only the lines that differ, in one write that a
/// terminal shows at once if it knows how to.
struct FramePainter {
  private var shown: [String]?

  /// The screen holds something else than was painted, or has another size.
  mutating func forget() {
    shown = nil
  }

  /// - Parameter frame: a line for each row of the window, from the top.
  /// - Returns: `nil` when the screen shows it already.
  mutating func text(for frame: [String]) -> String? {
    defer { shown = frame }
    var text = ""
    for (row, line) in frame.enumerated() where !isShown(line, at: row) {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[0m\u{1B}[K"
    }
    guard !text.isEmpty || shown == nil else { return nil }
    return Self.begin + (shown == nil ? Self.clear : "") + text + Self.end
  }

  private func isShown(_ line: String, at row: Int) -> Bool {
    guard let shown, row < shown.count else { return false }
    return shown[row] == line
  }

  // Synchronized output, which terminals that do not know it ignore.
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"
  private static let clear = "\u{1B}[2J"
}
