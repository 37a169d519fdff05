import ToDoModel
import ToDoText

// MARK: - Selection

extension ListScreen {
  /// The number of rows that one step of the wheel moves the selection.
  private static let wheelStep = 3

  /// The index of the current row, counted through all sections.
  var currentIndex: Int? { current.flatMap(sections.index) }

  /// The current row's entry index.
  var currentEntry: Int? { currentIndex.map(sections.entryIndex) }

  /// Selects the row at an index, or the nearest one.
  mutating func moveSelection(to index: Int) {
    guard let row = sections.row(at: max(0, min(index, sections.count - 1))) else { return }
    (current, hasChosen, isDeselected) = (row, true, false)
  }

  /// Moves the selection by a number of rows.
  mutating func moveSelection(by rows: Int) {
    moveSelection(to: (currentIndex ?? 0) + rows)
  }

  /// Selects the first item of the other section.
  mutating func switchSection() {
    guard let currentIndex, let first = sections.sections.first?.shown.count else { return }
    moveSelection(to: currentIndex < first ? first : 0)
  }

  /// The number of rows of a page.
  func pageSize(_ environment: ScreenEnvironment) -> Int {
    let rowHeight = isFolded(environment) ? 2 : 1
    return max(1, listHeight(environment) / rowHeight - 1)
  }

  /// Handles a click, which selects a row, or the wheel, which moves the selection.
  mutating func handle(_ pointer: PointerEvent, _ environment: ScreenEnvironment) {
    switch pointer.kind {
    case .wheelUp: moveSelection(by: -Self.wheelStep)
    case .wheelDown: moveSelection(by: Self.wheelStep)
    case .click:
      var bottom = 0
      for entry in visibleEntries(environment) {
        bottom += entry.height
        guard pointer.position.row < bottom else { continue }
        if case .row(let index) = entry.entry { moveSelection(to: index) }
        return
      }
    }
  }
}

// MARK: - Window

extension ListScreen {
  /// An entry in the window, and the number of its lines.
  struct VisibleEntry {
    var entry: ListEntry
    var height: Int
  }

  /// The number of lines for the list.
  func listHeight(_ environment: ScreenEnvironment) -> Int {
    max(0, environment.bodyRows - (input.isOpen ? 1 : 0))
  }

  func isFolded(_ environment: ScreenEnvironment) -> Bool {
    environment.columns < ListLayout.minimumUnfoldedWidth
  }

  /// Returns the entries in the window. The last one may be visible in part.
  func visibleEntries(_ environment: ScreenEnvironment) -> [VisibleEntry] {
    var (entries, rest) = ([VisibleEntry](), listHeight(environment))
    while rest > 0, let entry = sections.entry(at: top + entries.count) {
      let height = height(of: entry, environment)
      entries.append(VisibleEntry(entry: entry, height: height))
      rest -= height
    }
    return entries
  }

  private func height(of entry: ListEntry, _ environment: ScreenEnvironment) -> Int {
    guard isFolded(environment), case .row(let index) = entry, let row = sections.row(at: index) else { return 1 }
    return layoutRow(row.item, environment).hasDetails ? 2 : 1
  }

  /// Moves the window so that the selection is visible, with the heading above the first row of a section, and the window is
  /// filled.
  mutating func scroll(_ environment: ScreenEnvironment) {
    if let entry = currentEntry {
      var first = entry
      if case .heading? = sections.entry(at: entry - 1) { first -= 1 }
      top = max(min(top, first), firstEntry(ofWindowTo: entry, environment))
    }
    let last = firstEntry(ofWindowTo: sections.entryCount - 1, environment)
    top = max(0, min(top, last))
  }

  /// Returns the first entry of a window that ends with an entry.
  private func firstEntry(ofWindowTo last: Int, _ environment: ScreenEnvironment) -> Int {
    var (first, rest) = (last, listHeight(environment))
    guard let entry = sections.entry(at: last) else { return 0 }
    rest -= height(of: entry, environment)
    while let entry = sections.entry(at: first - 1) {
      rest -= height(of: entry, environment)
      guard rest >= 0 else { break }
      first -= 1
    }
    return first
  }
}
