import ToDoText

/// The room of the list in the window, and the entries that it shows.
struct ListWindow {
  /// An entry in the window, and the number of its lines.
  struct VisibleEntry {
    var entry: ListEntry
    var height: Int
  }

  /// The number of lines.
  let height: Int
  /// All entries of the list.
  let entries: ListEntries
  private let sections: ListSections
  private let rows: ListRows
  /// Whether a row can take two lines.
  private let isFolded: Bool

  /// - Parameter otherLines: the number of lines above and below the list, such as the one for typing.
  init(_ sections: ListSections, _ bounds: DueBounds, otherLines: Int, _ environment: ScreenEnvironment) {
    self.sections = sections
    entries = ListEntries(sections, bounds)
    height = max(0, environment.bodyRows - otherLines)
    rows = ListRows(now: environment.now, today: environment.today, zone: environment.zone)
    isFolded = environment.listColumns < ListLayout.minimumUnfoldedWidth
  }

  /// The number of rows in a page.
  var pageSize: Int { max(1, height / (isFolded ? 2 : 1) - 1) }

  /// Returns the entries from the first visible one on. The last one may be visible in part.
  func entries(from top: Int) -> [VisibleEntry] {
    var (entries, rest) = ([VisibleEntry](), height)
    while rest > 0, let entry = self.entries[top + entries.count] {
      let height = lineCount(of: entry)
      entries.append(VisibleEntry(entry: entry, height: height))
      rest -= height
    }
    return entries
  }

  /// Returns the first visible entry, so that the selection is visible, with the heading above the first row of a section, and
  /// the window is filled.
  ///
  /// - Parameters:
  ///   - old: the entry that was the first.
  ///   - selection: the entry of the selected row, or `nil` if there is none.
  func top(from old: Int, showing selection: Int?) -> Int {
    var top = old
    if let selection {
      var first = selection
      if case .heading? = entries[selection - 1] { first -= 1 }
      top = max(min(top, first), firstEntry(ofWindowTo: selection))
    }
    return max(0, min(top, firstEntry(ofWindowTo: entries.count - 1)))
  }

  /// Returns the first entry of a window that ends with an entry.
  private func firstEntry(ofWindowTo last: Int) -> Int {
    var (first, rest) = (last, height)
    guard let entry = entries[last] else { return 0 }
    rest -= lineCount(of: entry)
    while let entry = entries[first - 1] {
      rest -= lineCount(of: entry)
      guard rest >= 0 else { break }
      first -= 1
    }
    return first
  }

  private func lineCount(of entry: ListEntry) -> Int {
    guard isFolded, case .row(let index) = entry, let row = sections.row(at: index) else { return 1 }
    return rows.row(row.item).hasDetails ? 2 : 1
  }
}
