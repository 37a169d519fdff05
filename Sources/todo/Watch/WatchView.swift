import ToDoClient
import ToDoModel

/// The screen of a watch: the visible part of the list, in the format of `todo list`, and a status line. It performs no I/O
/// and receives the time as values.
struct WatchView {
  private let section: ListSection
  /// The latest list with all its items.
  private var completeList: ToDoList?
  /// The items of `completeList` that match, stored because a match takes time proportional to the text of all items.
  private var list: ToDoList?
  /// Matches the items to show; `nil` for all items.
  var matcher: ItemMatcher? {
    didSet { if matcher != oldValue { list = completeList.map { matchingItems(of: $0) } } }
  }
  /// The state of the connection, or `nil` if the service runs in this process.
  var connection: ConnectionState?
  /// The changed items, with the time until which each is highlighted.
  private var highlights: [ItemID: Duration] = [:]
  /// The number of lines above the window.
  private var offset = 0

  /// The duration for which a changed item is highlighted.
  static let highlightTime = Duration.seconds(1)

  init(showing section: ListSection, connection: ConnectionState?) {
    self.section = section
    self.connection = connection
  }

  /// Replaces the list, and highlights the shown items that have changed.
  mutating func show(_ newList: ToDoList, at time: Duration) {
    let shown = matchingItems(of: newList)
    if let list {
      for id in shown.items(changedAfter: list.revision) { highlights[id] = time + Self.highlightTime }
    }
    (completeList, list) = (newList, shown)
  }

  /// Returns a list without the items that do not match.
  private func matchingItems(of list: ToDoList) -> ToDoList {
    guard let matcher else { return list }
    return ToDoList(
      toDo: list.toDo.filter(matcher.matches), done: list.done.filter(matcher.matches), revision: list.revision)
  }

  /// Whether any item is highlighted.
  var hasHighlights: Bool { !highlights.isEmpty }

  /// Ends the highlights that have expired.
  mutating func advance(to time: Duration) {
    highlights = highlights.filter { $0.value > time }
  }

  /// Scrolls according to a key.
  mutating func handle(_ key: Key, in size: WindowSize) {
    let page = max(1, height(in: size) - 1)
    switch key {
    case .up: offset -= 1
    case .down: offset += 1
    case .pageUp: offset -= page
    case .pageDown: offset += page
    case .top: offset = 0
    case .bottom: offset = lineCount(in: size)
    case .quit, .redraw: break
    }
    clampOffset(in: size)
  }

  /// Moves the window to within the list, after either has changed.
  mutating func clampOffset(in size: WindowSize) {
    offset = max(0, min(offset, lineCount(in: size) - height(in: size)))
  }
}

// MARK: - Drawing

extension WatchView {
  /// Returns the lines of the window: the visible part of the list, and the status line in the last row.
  func frame(in size: WindowSize, at now: Timestamp, in zone: any TimeZoneRules, _ palette: Palette) -> [String] {
    let height = height(in: size)
    let lines = lines(size.columns, now, zone, palette).dropFirst(offset).prefix(height)
    return lines + Array(repeating: "", count: height - lines.count) + [statusLine(in: size, palette)]
  }

  private func height(in size: WindowSize) -> Int { max(0, size.rows - 1) }

  private func lines(
    _ columns: Int, _ now: Timestamp, _ zone: any TimeZoneRules, _ palette: Palette
  ) -> [String] {
    guard let list else { return [palette.faint("Waiting for the list")] }
    if list.isEmpty {
      return [matcher == nil ? "The list is empty. Add an item with: todo add 'Buy milk'" : "No item matches."]
    }
    let rows = ListRows(
      now: now, today: zone.localTime(at: now).date ?? .epoch, zone: zone, highlighted: Set(highlights.keys))
    return ListLayout(section, toDo: list.toDo, done: list.done, rows, columns: columns).lines(palette)
  }

  /// The number of lines that `lines` returns.
  private func lineCount(in size: WindowSize) -> Int {
    guard let list, !list.isEmpty else { return 1 }
    let toDo = section == .done ? nil : list.toDo
    let done = section == .done || (section == .all && !list.done.isEmpty) ? list.done : nil
    let sections = [toDo, done].compactMap(\.self)
    let isFolded = size.columns < ListLayout.minimumUnfoldedWidth
    let foldedCount = isFolded ? sections.joined().filter(\.hasDueDateOrPlace).count : 0
    // Each section has a heading, and an empty line separates the sections.
    return sections.reduce(0) { $0 + $1.count } + foldedCount + 2 * sections.count - 1
  }

  private func statusLine(in size: WindowSize, _ palette: Palette) -> String {
    let (height, lineCount) = (height(in: size), lineCount(in: size))
    let scrolls = lineCount > height
    // The least important texts come last, because a narrow window cuts them off.
    let texts = [
      connection?.text,
      list.map { "\($0.toDo.count) to do, \($0.done.count) done" },
      scrolls ? "lines \(offset + 1)-\(min(offset + height, lineCount)) of \(lineCount)" : nil,
      "q quits",
      scrolls ? "j k scroll" : nil,
      list.map { "revision \($0.revision)" },
    ]
    let text = texts.compactMap(\.self).joined(separator: " · ").truncated(toWidth: size.columns)
    return connection == .disconnected ? palette.overdue(text) : palette.faint(text)
  }
}

extension ToDoItem {
  /// Whether the item takes a second line on a narrow terminal.
  fileprivate var hasDueDateOrPlace: Bool { due != nil || location?.label.isEmpty == false }
}

extension ConnectionState {
  fileprivate var text: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .disconnected: "disconnected, reconnecting"
    }
  }
}
