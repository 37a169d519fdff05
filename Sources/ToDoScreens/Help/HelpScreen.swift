import ToDoModel

/// The screen of all keys.
struct HelpScreen: Screen {
  private(set) var scroll = LineScroll()

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch event {
    case .key(.escape), .key(.character("q")), .key(.character("?")): return [.outcome(.closed)]
    default: break
    }
    let count = HelpLayout(columns: environment.columns).lines.count
    _ = scroll.handle(event, lineCount: count, height: environment.bodyRows)
    scroll.clamp(lineCount: count, height: environment.bodyRows)
    return []
  }

  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    let (lines, height) = (HelpLayout(columns: environment.columns).lines, environment.bodyRows)
    let scrolls = lines.count > height ? [KeyHint("↑ ↓", "scroll")] : []
    return ScreenDrawing(
      lines: scroll.visibleLines(of: lines, height: height), hints: [KeyHint("Esc", "close")] + scrolls,
      status: scroll.status(lineCount: lines.count, height: height))
  }
}
