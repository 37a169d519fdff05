import ToDoModel

/// The screen of all keys, which opens at those of one screen.
struct HelpScreen: Screen {
  private(set) var scroll = LineScroll()
  /// The keys at the top of the window, until the user scrolls.
  private var group: KeyTable.Group?

  init(at group: KeyTable.Group? = nil) { self.group = group }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch event {
    case .key(.escape), .key(.character("q")), .key(.character("?")): return [.outcome(.closed)]
    default: break
    }
    let count = HelpLayout(columns: environment.columns).lines.count
    var moved = position(environment)
    if moved.handle(event, lineCount: count, height: environment.bodyRows) { (scroll, group) = (moved, nil) }
    scroll.clamp(lineCount: count, height: environment.bodyRows)
    return []
  }

  /// The visible part in a window.
  private func position(_ environment: ScreenEnvironment) -> LineScroll {
    let layout = HelpLayout(columns: environment.columns)
    guard let row = group.flatMap(layout.row) else { return scroll }
    var scroll = scroll
    scroll.show(row..<row + environment.bodyRows, height: environment.bodyRows)
    scroll.clamp(lineCount: layout.lines.count, height: environment.bodyRows)
    return scroll
  }

  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    let (lines, height) = (HelpLayout(columns: environment.columns).lines, environment.bodyRows)
    let scroll = position(environment)
    let scrolls = lines.count > height ? [KeyHint("↑ ↓", "scroll")] : []
    return ScreenDrawing(
      lines: scroll.visibleLines(of: lines, height: height), hints: [KeyHint("Esc", "close")] + scrolls,
      status: scroll.status(lineCount: lines.count, height: height))
  }
}
