import ToDoModel
import ToDoText

/// The screen of the latest messages, the last one first.
struct MessageScreen: Screen {
  private let entries: [StatusMessages.Entry]
  private(set) var scroll = LineScroll()

  init(_ entries: [StatusMessages.Entry]) {
    self.entries = entries.reversed()
  }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch event {
    case .key(.escape), .key(.character("q")), .key(.enter): return [.outcome(.closed)]
    default: break
    }
    let count = lines(environment).count
    _ = scroll.handle(event, lineCount: count, height: environment.bodyRows)
    scroll.clamp(lineCount: count, height: environment.bodyRows)
    return []
  }

  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    let (lines, height) = (lines(environment), environment.bodyRows)
    let scrolls = lines.count > height ? [KeyHint("↑ ↓", "scroll")] : []
    return ScreenDrawing(
      lines: scroll.visibleLines(of: lines, height: height), hints: [KeyHint("Esc", "close")] + scrolls,
      status: scroll.status(lineCount: lines.count, height: height))
  }

  /// Returns the messages with their times, such as `10:15  the list is full`.
  private func lines(_ environment: ScreenEnvironment) -> [StyledText] {
    let columns = environment.columns
    guard !entries.isEmpty else {
      return [StyledText("No change was made or failed yet.".truncated(toWidth: columns), .faint)]
    }
    return entries.flatMap { entry in
      "\(entry.time.minuteText(environment))  \(entry.text)".wrapped(toWidth: max(1, columns)).map {
        StyledText($0, entry.isFailure ? .overdue : .plain)
      }
    }
  }
}
