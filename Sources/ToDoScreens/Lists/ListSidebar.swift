import ToDoModel
import ToDoText

/// The lists beside the items, in a wide window. Below them are the lists to which other users invite the user.
struct ListSidebar: Equatable, Sendable {
  /// Whether the lists are being watched.
  var isWatched = false
  /// The lists in order. None until they are read.
  private(set) var lists: [UserList] = []
  /// The lists to which other users invite the user.
  private(set) var invitations: [UserList] = []
  /// The selected list. Only a sidebar that receives the keys shows it.
  private(set) var selected = ListID.default
  /// The numbers of items in the lists when they were last counted.
  private(set) var counts: [ListID: ListCounts] = [:]
  private var scroll = LineScroll()

  /// The lists and the invitations, in order.
  var entries: [UserList] { lists + invitations }

  private var index: Int? { entries.firstIndex { $0.id == selected } }

  /// The width in a window; `nil` if it has no room, or if there is nothing to choose.
  func columns(_ environment: ScreenEnvironment) -> Int? {
    entries.count > 1 ? environment.sidebarColumns : nil
  }

  /// Takes the lists. The selection stays with its list, or else in its place.
  mutating func take(_ lists: [UserList]) { keepingSelection { $0.lists = lists } }

  /// Takes a list that was created or changed. Its place follows with all lists.
  mutating func take(_ list: UserList) {
    if let index = lists.firstIndex(where: { $0.id == list.id }) { lists[index] = list }
  }

  /// Takes the invitations.
  mutating func take(invitations: [UserList]) { keepingSelection { $0.invitations = invitations } }

  /// Takes how many items lists have. Those of other lists are kept.
  mutating func take(_ counts: [ListID: ListCounts]) { self.counts.merge(counts) { $1 } }

  private mutating func keepingSelection(_ change: (inout Self) -> Void) {
    let old = index
    change(&self)
    if index == nil { select(at: old ?? 0) }
  }

  /// Selects the list at an index, or the nearest one.
  private mutating func select(at index: Int) {
    let entries = entries
    guard !entries.isEmpty else { return }
    selected = entries[max(0, min(index, entries.count - 1))].id
  }
}

// MARK: - Input

extension ListSidebar {
  /// Selects a list, because the sidebar receives the keys from now on.
  mutating func begin(at list: ListID, _ environment: ScreenEnvironment) {
    selected = list
    showSelection(environment)
  }

  /// Handles a key.
  mutating func handle(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -Self.page)
    case .pageDown: move(by: Self.page)
    case .home, .character("g"): select(at: 0)
    case .end, .character("G"): select(at: Int.max)
    case .enter, .right: return index.map { choose(entries[$0], environment) } ?? []
    case .character("L"): return [.outcome(.wantsLists)]
    case .character("?"): return [.outcome(.wantsHelp)]
    case .character("q"): return [.outcome(.closed)]
    case .character: return [.message("Tab goes to the items, and L to all that you can do with lists")]
    default: return []
    }
    showSelection(environment)
    return []
  }

  /// The number of lists by which a page key moves.
  private static let page = 10

  private mutating func move(by count: Int) { select(at: (index ?? 0) + count) }

  private func choose(_ list: UserList, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !list.isInvitation else {
      let owner = list.ownerUser.escapingControls()
      return [
        .message("\(owner) invites you to \(list.role.verb) '\(list.name.escapingControls())'; press L to answer")
      ]
    }
    guard environment.connection.isUsable else { return [.message(ListMessage.notConnected)] }
    return [.outcome(.chose(list))]
  }

  /// Handles a click, which chooses a list, or the wheel, which scrolls.
  mutating func handle(_ pointer: PointerEvent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    let (ranges, height) = (ranges, height(environment))
    let count = ranges.last?.upperBound ?? 0
    guard pointer.kind == .click else {
      _ = scroll.handle(.pointer(pointer), lineCount: count, height: height)
      return []
    }
    let line = pointer.position.row - Self.headingHeight
    guard (0..<height).contains(line), let index = ranges.firstIndex(where: { $0.contains(line + scroll.offset) })
    else {
      return []
    }
    select(at: index)
    return choose(entries[index], environment)
  }

  private mutating func showSelection(_ environment: ScreenEnvironment) {
    let ranges = ranges
    if let index { scroll.show(ranges[index], height: height(environment)) }
    scroll.clamp(lineCount: ranges.last?.upperBound ?? 0, height: height(environment))
  }

  /// The lines of each list.
  private var ranges: [Range<Int>] {
    var end = 0
    return entries.map { list in
      let start = end
      end += list.sharingText == nil ? 1 : 2
      return start..<end
    }
  }

  private static let headingHeight = 1

  private func height(_ environment: ScreenEnvironment) -> Int { max(0, environment.bodyRows - Self.headingHeight) }
}

// MARK: - Drawing

extension ListSidebar {
  /// The state of the window beside it, as far as the sidebar shows it.
  struct Surroundings {
    /// The list whose items are shown.
    var shown: UserList
    /// The numbers of its items, if they are known.
    var counts: ListCounts?
    /// Whether the sidebar receives the keys.
    var isFocused: Bool
  }

  /// Returns the window's lines, with the sidebar's left of them if there is room for it.
  func beside(
    _ lines: [StyledText], _ surroundings: Surroundings, height: Int, _ environment: ScreenEnvironment
  ) -> [StyledText] {
    guard let columns = columns(environment) else { return lines }
    let all = entries.flatMap { rows($0, surroundings, columns) }
    let own = [heading(columns)] + scroll.visibleLines(of: all, height: max(0, height - Self.headingHeight))
    return (0..<height).map { row in
      var line = row < own.count ? own[row] : StyledText()
      line.append(blanks: columns - line.displayWidth)
      line.append(.paneSeparator(isFocused: surroundings.isFocused))
      if row < lines.count { line.append(lines[row]) }
      return line
    }
  }

  private func heading(_ columns: Int) -> StyledText {
    let title = "Lists"
    let names = ["to do", "late"] + (hasWaiting(columns) ? ["wait"] : [])
    let numbers = names.map { $0.padded(toLeftWidth: Self.numberWidth) }.joined()
    return StyledText(title, .heading) + StyledText(numbers.padded(toLeftWidth: columns - title.count), .faint)
  }

  /// The width of a column with numbers, and the marks' width before a name.
  private static let numberWidth = 6
  private static let markWidth = 5
  /// The width from which there is room for the numbers of items that wait.
  private static let minimumWidthWithWaiting = 32

  private func hasWaiting(_ columns: Int) -> Bool {
    columns >= Self.minimumWidthWithWaiting && counts.values.contains { $0.waiting > 0 }
  }

  /// Returns the rows of a list, such as `>* ● Work   12     2`, and below it who shares it.
  private func rows(_ list: UserList, _ surroundings: Surroundings, _ columns: Int) -> [StyledText] {
    let isSelected = surroundings.isFocused && list.id == selected
    let isShown = list.id == surroundings.shown.id
    let numbers = list.isInvitation ? StyledText() : numbers(list, surroundings, columns)
    let nameWidth = columns - Self.markWidth - numbers.displayWidth
    let name = list.name.escapingControls().truncated(toWidth: nameWidth).padded(toWidth: nameWidth)
    var row = StyledText((isSelected ? ">" : " ") + (isShown ? "* " : "  "))
    row.append(list.mark)
    row.append(name, isShown ? .heading : .plain)
    row.append(numbers)
    var rows = [row]
    if let sharing = list.sharingText {
      let indent = String(repeating: " ", count: Self.markWidth)
      rows.append(StyledText((indent + sharing).truncated(toWidth: columns), .faint))
    }
    return isSelected ? rows.map { StyledText($0.text.padded(toWidth: columns), .highlighted) } : rows
  }

  private func numbers(_ list: UserList, _ surroundings: Surroundings, _ columns: Int) -> StyledText {
    let isShown = list.id == surroundings.shown.id
    let counts = (isShown ? surroundings.counts : nil) ?? self.counts[list.id]
    let waiting = hasWaiting(columns) ? Self.column(counts?.waitingText, .faint) : StyledText()
    return Self.column(counts?.toDoText) + Self.column(counts?.overdueText, .overdue) + waiting
  }

  /// Returns the text of a column, right-aligned.
  private static func column(_ text: String?, _ style: TextStyle = .plain) -> StyledText {
    StyledText((text ?? "").padded(toLeftWidth: numberWidth), style)
  }

  /// The position of the selection.
  var status: String { index.map { "\($0 + 1) of \(entries.count)" } ?? "" }

  static let hints = [
    KeyHint("Enter", "show"), KeyHint("Tab", "items"), KeyHint("L", "new, share, answer"), KeyHint("?", "keys"),
    KeyHint("q", "quit"),
  ]
}

extension ScreenEnvironment {
  /// The width from which a window has room for the lists, besides the items and the selected item.
  private static let minimumWidthWithSidebar = 140
  /// The maximum width of the lists.
  private static let maximumSidebarWidth = 36

  /// The width of the lists beside the items, or `nil` if the window has no room for them.
  var sidebarColumns: Int? {
    guard columns >= Self.minimumWidthWithSidebar, !takesCommands else { return nil }
    return min(columns / 5, Self.maximumSidebarWidth)
  }
}
