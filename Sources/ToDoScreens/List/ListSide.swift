import ToDoModel
import ToDoText

/// The selected item beside the list, with the map of its place, in a wide window.
struct ListSide: Equatable, Sendable {
  /// The lines of an item for a width.
  private struct Page: Equatable, Sendable {
    let item: ToDoItem
    let columns: Int
    let lines: [StyledText]
  }

  private var page: Page?
  private var map: DetailMap?
  private var scroll = LineScroll()
  /// Whether the lines depend on an earlier minute.
  private var isOutdated = false

  /// Whether there is an item beside the list.
  var isShown: Bool { page != nil }

  /// Creates the lines of the selected item, if the window has room beside the list.
  mutating func prepare(_ item: ToDoItem?, _ environment: ScreenEnvironment) {
    guard let item, let columns = environment.sideColumns else {
      page = nil
      return
    }
    if page?.item.id != item.id { scroll = LineScroll() }
    if !isOutdated, page?.item.revision == item.revision, page?.item.id == item.id, page?.columns == columns { return }
    isOutdated = false
    prepareMap(item, columns, environment)
    let details = ItemDetails(
      item: item, now: environment.now, today: environment.today, zone: environment.zone,
      repetitionZone: item.repetition.flatMap { environment.rules($0.timeZone) },
      town: item.location?.givenCoordinate.flatMap(environment.labels.nearestTown), map: map?.view, columns: columns)
    page = Page(item: item, columns: columns, lines: details.lines)
  }

  private mutating func prepareMap(_ item: ToDoItem, _ columns: Int, _ environment: ScreenEnvironment) {
    guard let coordinate = item.location?.coordinate, let size = MapSize(terminalColumns: columns) else {
      map = nil
      return
    }
    if map?.coordinate == coordinate, map?.size == size { return }
    map = DetailMap(of: coordinate, size: size, environment)
  }

  /// Has the lines created again, because they depend on the time.
  mutating func minutePassed() { isOutdated = true }

  /// Scrolls the lines of the item.
  ///
  /// - Returns: whether the key scrolls.
  mutating func scroll(_ key: KeyPress, height: Int) -> Bool {
    scroll.handle(.key(key), lineCount: page?.lines.count ?? 0, height: height)
  }

  /// Returns the list's lines, with those of the item beside them.
  ///
  /// - Parameter isFocused: whether the item receives the keys.
  func beside(
    _ list: [StyledText], _ environment: ScreenEnvironment, height: Int, isFocused: Bool = false
  ) -> [StyledText] {
    guard let page, environment.sideColumns == page.columns else { return list }
    let lines = scroll.visibleLines(of: page.lines, height: height)
    return (0..<height).map { row in
      var line = row < list.count ? list[row] : StyledText()
      line.append(blanks: environment.listColumns - line.text.displayWidth)
      line.append(.paneSeparator(isFocused: isFocused))
      if row < lines.count { line.append(lines[row]) }
      return line
    }
  }
}

extension ScreenEnvironment {
  /// The minimum width of a window with room for an item beside the list.
  private static let minimumWidthWithSide = 100
  /// The maximum width of the item beside the list.
  private static let maximumSideWidth = 80
  /// The width of the line between both.
  private static let separatorWidth = 3

  /// The width of the item beside the list, or `nil` if the window has no room for it.
  var sideColumns: Int? {
    guard columns >= Self.minimumWidthWithSide, !takesCommands else { return nil }
    let rest = columns - ListLayout.minimumUnfoldedWidth - Self.separatorWidth
    return min(columns * 2 / 5, rest, Self.maximumSideWidth)
  }

  /// The list width.
  var listColumns: Int { sideColumns.map { columns - $0 - Self.separatorWidth } ?? columns }
}
