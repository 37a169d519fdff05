import ToDoText

/// The visible part of a text that can be longer than the window.
struct LineScroll: Equatable, Sendable {
  /// The number of lines above the window.
  private(set) var offset = 0

  /// The number of lines that the wheel scrolls.
  private static let wheelStep = 3

  /// Scrolls if an event requests it.
  ///
  /// - Returns: whether the event requests scrolling.
  mutating func handle(_ event: ScreenEvent, lineCount: Int, height: Int) -> Bool {
    let page = max(1, height - 1)
    switch event {
    case .key(.up): offset -= 1
    case .key(.down): offset += 1
    case .key(.pageUp): offset -= page
    case .key(.pageDown): offset += page
    case .key(.home): offset = 0
    case .key(.end): offset = lineCount
    case .pointer(let pointer) where pointer.kind == .wheelUp: offset -= Self.wheelStep
    case .pointer(let pointer) where pointer.kind == .wheelDown: offset += Self.wheelStep
    default: return false
    }
    clamp(lineCount: lineCount, height: height)
    return true
  }

  /// Scrolls as little as possible so that lines are visible.
  mutating func show(_ lines: Range<Int>, height: Int) {
    offset = min(max(offset, lines.upperBound - height), lines.lowerBound)
  }

  /// Moves the window to within the text, after either has changed.
  mutating func clamp(lineCount: Int, height: Int) {
    offset = clampedOffset(lineCount: lineCount, height: height)
  }

  /// Returns the visible lines.
  func visibleLines(of lines: [StyledText], height: Int) -> [StyledText] {
    Array(lines.dropFirst(clampedOffset(lineCount: lines.count, height: height)).prefix(height))
  }

  /// Returns the position in the text, such as `lines 1-22 of 40`, or an empty text if the window shows all lines.
  func status(lineCount: Int, height: Int) -> String {
    guard lineCount > height else { return "" }
    let first = clampedOffset(lineCount: lineCount, height: height)
    return "lines \(first + 1)-\(first + height) of \(lineCount)"
  }

  private func clampedOffset(lineCount: Int, height: Int) -> Int { max(0, min(offset, lineCount - height)) }
}
