import ToDoClient
import ToDoModel

/// What the screen of a watch shows: the list as `todo list` draws it, as much of it as there is room for, and a line
/// that says how things are. No I/O; time comes in as values.
struct WatchView {
  private let section: ListSection
  private var list: ToDoList?
  /// `nil` when there is no connection, since the list is in this process.
  var connection: ConnectionState?
  /// The changed items, and until when each is pointed out.
  private var highlights: [ItemID: Duration] = [:]
  /// How many lines are above the window.
  private var offset = 0

  /// How long a changed item is pointed out.
  static let highlightTime = Duration.seconds(1)

  init(showing section: ListSection, connection: ConnectionState?) {
    self.section = section
    self.connection = connection
  }

  /// Takes the latest list, and points out what is not as in the one before.
  mutating func show(_ newList: ToDoList, at time: Duration) {
    if let list {
      for id in newList.items(changedAfter: list.revision) { highlights[id] = time + Self.highlightTime }
    }
    list = newList
  }

  var hasHighlights: Bool { !highlights.isEmpty }

  /// Time has passed.
  mutating func advance(to time: Duration) {
    highlights = highlights.filter { $0.value > time }
  }

  /// Scrolls.
  mutating func press(_ key: Key, in size: WindowSize) {
    let page = max(1, height(in: size) - 1)
    switch key {
    case .up: offset -= 1
    case .down: offset += 1
    case .pageUp: offset -= page
    case .pageDown: offset += page
    case .top: offset = 0
    case .bottom: offset = lineCount
    case .quit, .redraw: break
    }
    settle(in: size)
  }

  /// Keeps the window within the list, after either has changed.
  mutating func settle(in size: WindowSize) {
    offset = max(0, min(offset, lineCount - height(in: size)))
  }
}

// MARK: - Drawing

extension WatchView {
  /// A line for each row of the window: the list, and in the last row how things are.
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
    if list.isEmpty { return ["The list is empty. Add to it: todo add 'Buy milk'"] }
    // A prefix must be unique among all items, shown or not, to be of use.
    let rows = ListRows(
      prefixes: ShortestPrefixes(of: [list.toDo, list.done].joined().map(\.id)), now: now,
      today: zone.localTime(at: now).date ?? .epoch, zone: zone, highlighted: Set(highlights.keys))
    return ListLayout(section, toDo: list.toDo, done: list.done, rows, columns: columns).lines(palette)
  }

  /// How many lines `lines` has.
  private var lineCount: Int {
    guard let list, !list.isEmpty else { return 1 }
    let toDo = section == .done ? nil : list.toDo.count
    let done = section == .done || (section == .all && !list.done.isEmpty) ? list.done.count : nil
    let sections = [toDo, done].compactMap(\.self)
    // A heading each, and an empty line between.
    return sections.reduce(0, +) + 2 * sections.count - 1
  }

  private func statusLine(in size: WindowSize, _ palette: Palette) -> String {
    let height = height(in: size)
    let scrolls = lineCount > height
    // What is cut off in a narrow window comes last.
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

extension ConnectionState {
  fileprivate var text: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .disconnected: "disconnected, trying again"
    }
  }
}
