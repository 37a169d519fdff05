import ToDoModel
import ToDoText

/// The list as it is drawn: the visible rows, the line for typing, the status and the keys.
struct ListDrawing {
  private let screen: ListScreen
  private let content: ListContent
  private let environment: ScreenEnvironment

  /// The minimum width of a status with room for the revision.
  private static let minimumRevisionWidth = 100
  /// The number of columns that the list's name keeps beside the invitation count.
  private static let minimumNameWidth = 8

  init(_ screen: ListScreen, _ content: ListContent, _ environment: ScreenEnvironment) {
    (self.screen, self.content, self.environment) = (screen, content, environment)
  }

  private var sections: ListSections { screen.sections }
  private var window: ListWindow { screen.window(environment) }

  /// The drawing above the status line, with the status and the keys.
  var drawing: ScreenDrawing {
    let isSideFocused = screen.focus == .item
    let items =
      notice.map { [$0] }
      ?? screen.side.beside(listLines, environment, height: window.height, isFocused: isSideFocused)
    var lines = header + items
    var cursor: ScreenPosition?
    if let line = screen.input.line(columns: environment.columns), environment.bodyRows > 0 {
      let row = header.count + window.height
      lines = lines.prefix(row) + Array(repeating: StyledText(), count: max(0, row - lines.count)) + [line.text]
      cursor = ScreenPosition(row: row, column: min(line.cursor, max(0, environment.columns - 1)))
    }
    var drawing = ScreenDrawing(lines: Array(lines.prefix(environment.bodyRows)), cursor: cursor)
    if let question = screen.question {
      (drawing.status, drawing.isAsking) = (question.text(isFiltered: sections.matcher != nil), true)
    } else {
      (drawing.status, drawing.hints) = (status, hints)
    }
    return drawing
  }

  /// The line with the name of the list, whether it can only be viewed, and the number of invitations; none for the default list
  /// without any.
  private var header: [StyledText] {
    guard screen.headerHeight(environment) > 0 else { return [] }
    let mark = screen.list.mark
    let room = environment.columns - mark.displayWidth
    guard room > 0 else { return [""] }
    let name = screen.list.name.escapingControls()
    let noticeWidth = max(0, room - min(name.displayWidth, Self.minimumNameWidth))
    let notices = [screen.list.role == .viewer ? "view only" : nil, invitationNotice]
    let notice = notices.compactMap { $0.map { "  " + $0 } }.joined().truncated(toWidth: noticeWidth)
    let nameText = name.truncated(toWidth: room - notice.displayWidth)
    return [mark + StyledText(nameText, .heading) + StyledText(notice, .faint)]
  }

  /// The number of invitations, and the key or command that shows them; `nil` if there are none.
  private var invitationNotice: String? {
    guard screen.invitationCount > 0 else { return nil }
    let key = environment.takesCommands ? "type 'lists'" : "press L"
    return "\(screen.invitationCount.invitationsText): \(key)"
  }

  /// The text in place of the list, or `nil` if the list is shown.
  private var notice: StyledText? {
    func text(_ text: String, _ style: TextStyle = .plain) -> StyledText {
      StyledText(text.truncated(toWidth: environment.columns), style)
    }
    if content.count == 0 {
      guard content.isLoaded else { return text("Waiting for the list", .faint) }
      let hint = environment.takesCommands ? " Type 'add' and what you want to do." : " Press a to add an item."
      return text("The list is empty." + (environment.refusal == nil ? hint : ""))
    }
    guard sections.matcher != nil, sections.count == 0 else { return nil }
    return sections.isSearching ? text("Searching", .faint) : text("No item matches.")
  }

  /// The visible lines of the list.
  private var listLines: [StyledText] {
    let entries = window.entries(from: screen.top)
    let items = ListRows(now: environment.now, today: environment.today, zone: environment.zone)
    let rows = entries.compactMap { visible -> ListLayout.Row? in
      guard case .row(let index) = visible.entry else { return nil }
      return sections.row(at: index).map { layoutRow($0.item, items) }
    }
    let layout = ListLayout(
      sections: [ListLayout.Section(title: "", rows: rows)], columns: environment.listColumns, showsSelection: true)
    var rowLines = layout.rowLines[...]
    var lines: [StyledText] = []
    for visible in entries {
      switch visible.entry {
      case .heading(let index): lines.append(heading(window.entries.headings[index]))
      case .gap: lines.append("")
      case .row: lines += rowLines.popFirst() ?? []
      }
    }
    return Array(lines.prefix(window.height))
  }

  private func heading(_ heading: ListEntries.Heading) -> StyledText {
    let count = heading.rows.count.groupedText
    let counts = screen.filter.isEmpty ? count : "\(count) of \(heading.total.groupedText)"
    let title = "\(heading.group.title) (\(counts))"
    return StyledText(title.truncated(toWidth: environment.listColumns), .heading)
  }

  /// Returns the row of an item.
  private func layoutRow(_ item: ToDoItem, _ rows: ListRows) -> ListLayout.Row {
    var row = rows.row(item)
    row.isHighlighted = screen.highlights.contains(item.id)
    row.isSelected = item.id == screen.selected?.item.id
    if case .distance(let center) = sections.order.forward {
      row.distance = item.distance(from: center)?.distanceText ?? ""
    }
    return row
  }

  private var status: String {
    let position = screen.selected.flatMap { sections.index(of: $0) }.map {
      "\(($0 + 1).groupedText) of \(sections.count.groupedText)"
    }
    let isLoading = !content.isLoaded && content.count > 0
    let isWide = environment.columns >= Self.minimumRevisionWidth
    let texts: [String?] = [
      screen.typedNumber.map { "#\($0)" },
      isLoading ? "loading, \(content.count.groupedText) items so far" : position,
      sections.isSearching ? "searching" : nil,
      (sections.isSorting ? "sorting " : "") + sections.nextOrder.text,
      screen.filter.statusText(includesText: !screen.input.isOpen),
      waitingText,
      isWide ? content.revision.map { "revision \($0)" } : nil,
    ]
    return texts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The number of items that wait, unless it is 0.
  private var waitingText: String? {
    let count = screen.waiting.count(at: environment.now)
    return count == 0 || screen.waiting.areShown ? nil : "\(count.groupedText) waiting"
  }

  private var hints: [KeyHint] {
    switch screen.input {
    case .search: return [KeyHint("Enter", "keep"), KeyHint("Esc", "clear")]
    case .postponement: return [KeyHint("Enter", "postpone"), KeyHint("Esc", "cancel")]
    case .filter: return [KeyHint("Enter", "filter"), KeyHint("Tab", "next field"), KeyHint("Esc", "clear")]
    case .none: break
    }
    let canChange = environment.refusal == nil
    let add = canChange ? [KeyHint("a", "add")] : []
    var check: [KeyHint] = []
    var item: [KeyHint] = []
    if let selected = screen.selected {
      if canChange { check = [KeyHint("space", selected.item.isDone ? "uncheck" : "check")] }
      item = [KeyHint("Enter", "open")]
      if canChange { item += [KeyHint("e", "edit"), KeyHint("d", "delete")] }
    }
    if canChange { item.append(KeyHint("u", "undo")) }
    let search = [KeyHint("/", "search"), KeyHint("?", "keys"), KeyHint("q", "quit")]
    let scroll = screen.focus == .item ? [KeyHint("↑ ↓", "scroll"), KeyHint("Esc", "items")] : []
    return scroll + check + add + search + item + [KeyHint("s", "sort"), KeyHint("f", "filter"), KeyHint("m", "map")]
  }
}

extension UserList {
  /// A dot in the list's accent and a blank.
  var mark: StyledText { StyledText("●", TextStyle(accent)) + " " }
}

extension ListFilter {
  /// Returns the filter as the status shows it.
  fileprivate func statusText(includesText: Bool) -> String {
    let groups = alternatives.map { "(\($0.statusText(includesText: true)))" }.joined(separator: " or ")
    let excluded = exclusions.map { "not (\($0.statusText(includesText: true)))" }
    let texts = [
      includesText && !text.isEmpty ? "/" + text : "", due.isEmpty ? "" : "due " + due,
      place.isEmpty ? "" : "at " + place, marks.isEmpty ? "" : "tags " + marks,
      excludedText.isEmpty ? "" : "not /" + excludedText, groups,
    ]
    return (texts + excluded).filter { !$0.isEmpty }.joined(separator: " · ").escapingControls()
  }
}

extension ListGroup {
  /// The title of the heading.
  fileprivate var title: String {
    switch self {
    case .toDo: "To do"
    case .overdue: "Overdue"
    case .today: "Today"
    case .next: "Next"
    case .later: "Later"
    case .waiting: "Waiting"
    case .done: "Done"
    }
  }
}

extension RowOrder {
  /// The order as the status names it.
  fileprivate var text: String {
    switch self {
    case .due: "by due date"
    case .title: "by title"
    case .created: "by creation"
    case .updated: "by change"
    case .priority: "by priority"
    case .urgency: "by urgency"
    case .distance: "by distance"
    case .reversed(let order): order.text + ", reversed"
    }
  }
}

extension Int {
  /// The number as a number of invitations.
  var invitationsText: String { self == 1 ? "1 invitation" : "\(groupedText) invitations" }

  /// The number with commas between groups of three digits.
  var groupedText: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
