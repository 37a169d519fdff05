import ToDoModel
import ToDoText

/// The screen of the user's lists, in which one is chosen, to show it or to move an item there, created or renamed.
struct ListPicker: Screen {
  /// What the keys mean.
  enum Phase: Equatable, Sendable {
    case choosing
    case naming(ListNaming)
    /// The name is being saved. The screen takes no edits.
    case saving(ListNaming)
  }

  /// The list whose items are shown.
  private(set) var shown: UserList
  /// The lists in order, or `nil` until they are read.
  private(set) var lists: [UserList]?
  /// The reason why the lists could not be read.
  private(set) var problem: String?
  /// The selected list.
  private(set) var selected: ListID
  private(set) var phase = Phase.choosing
  /// The item for which a list is chosen; `nil` to choose the list that is shown.
  private let moving: ToDoItem?
  private var scroll = LineScroll()

  /// Creates the screen.
  ///
  /// - Parameters:
  ///   - list: the list whose items are shown, which is selected first.
  ///   - item: the item for which a list is chosen; `nil` to choose the list that is shown.
  init(shown list: UserList, moving item: ToDoItem? = nil) {
    (shown, selected, moving) = (list, list.id, item)
  }

  /// Reads the lists. The coordinator calls this method when it has opened the screen.
  mutating func opened() -> [ScreenAction] { [.perform(.readLists)] }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    let actions = respond(to: event, environment)
    if let index { scroll.show(index..<index + 1, height: height(environment)) }
    scroll.clamp(lineCount: lists?.count ?? 0, height: height(environment))
    return actions
  }

  private mutating func respond(to event: ScreenEvent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch event {
    case .key(let key): return respond(to: key, environment)
    case .paste(let text):
      if case .naming(var naming) = phase {
        naming.edit { $0.insert(text) }
        phase = .naming(naming)
      }
    case .pointer(let pointer): respond(to: pointer, environment)
    case .result(.listsRead(let result)): take(result)
    case .result(.listSaved(let result)): return take(result)
    case .changed, .result, .timer, .resized, .minutePassed, .resumed, .watch, .draftFound, .listDeleted, .connection:
      break
    }
    return []
  }

  /// The index of the selected list.
  private var index: Int? { lists?.firstIndex { $0.id == selected } }

  private var selectedList: UserList? { index.flatMap { lists?[$0] } }
}

// MARK: - Results

extension ListPicker {
  private mutating func take(_ result: Result<ListSet, EffectFailure>) {
    switch result {
    case .success(let set):
      let old = index
      (lists, problem) = (set.lists, nil)
      if let list = set.lists.first(where: { $0.id == shown.id }) { shown = list }
      // The selected list was deleted.
      if index == nil { select(at: old ?? 0) }
    case .failure(let failure): problem = failure.message
    }
  }

  /// Selects a list that was created or renamed, and reads the lists again for their order.
  private mutating func take(_ result: Result<UserList, EffectFailure>) -> [ScreenAction] {
    guard case .saving(let naming) = phase else { return [] }
    switch result {
    case .success(let list):
      phase = .choosing
      if list.id == shown.id { shown = list }
      lists = (lists ?? []).filter { $0.id != list.id } + [list]
      selected = list.id
      let name = list.name.escapingControls()
      return [.message(naming.list == nil ? "created “\(name)”" : "renamed to “\(name)”"), .perform(.readLists)]
    case .failure:
      // The coordinator reports it.
      phase = .naming(naming)
      return []
    }
  }
}

// MARK: - Keys

extension ListPicker {
  private mutating func respond(to key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch phase {
    case .choosing: return choose(key, environment)
    case .naming(let naming): return name(key, naming, environment)
    case .saving: return []
    }
  }

  private mutating func choose(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -max(1, height(environment) - 1))
    case .pageDown: move(by: max(1, height(environment) - 1))
    case .home, .character("g"): select(at: 0)
    case .end, .character("G"): select(at: Int.max)
    case .enter:
      guard let list = selectedList else { return [] }
      guard environment.connection.isUsable else { return [.message(ListMessage.notConnected)] }
      guard let moving else { return [.outcome(.chose(list))] }
      guard list.id != shown.id else { return [.message("the item is in this list; select another one")] }
      return [.outcome(.choseTarget(list, of: moving.id))]
    case .character("n"): return begin(ListNaming(), environment)
    case .character("r"): return selectedList.map { rename($0, environment) } ?? []
    case .character("?"): return [.outcome(.wantsHelp)]
    case .escape, .character("q"): return [.outcome(.closed)]
    default: break
    }
    return []
  }

  /// Lets the user rename a list of the user's own.
  private mutating func rename(_ list: UserList, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard list.role == .owner else {
      let (owner, name) = (list.ownerUser.escapingControls(), list.name.escapingControls())
      return [.message("only \(owner) can rename “\(name)”")]
    }
    return begin(ListNaming(renaming: list), environment)
  }

  /// Lets the user type a name, if lists can be changed and are known.
  private mutating func begin(_ naming: ListNaming, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !environment.isReadOnly else { return [.message(ListMessage.readOnly)] }
    guard lists != nil else { return [] }
    phase = .naming(naming)
    return []
  }

  private mutating func name(
    _ key: KeyPress, _ naming: ListNaming, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    var naming = naming
    switch key {
    case .escape: phase = .choosing
    case .enter, .control("s"):
      if let problem = naming.problem { return [.message(problem)] }
      guard environment.connection.isUsable else { return [.message(ListMessage.notConnected)] }
      guard let effect = naming.effect else {
        phase = .choosing
        return []
      }
      phase = .saving(naming)
      return [.perform(effect)]
    default:
      naming.edit { $0.handle(key) }
      phase = .naming(naming)
    }
    return []
  }

  private mutating func move(by count: Int) { select(at: (index ?? 0) + count) }

  /// Selects the list at an index, or the nearest one.
  private mutating func select(at index: Int) {
    guard let lists, !lists.isEmpty else { return }
    selected = lists[max(0, min(index, lists.count - 1))].id
  }

  /// Handles a click, which selects a list, or the wheel, which moves the selection.
  private mutating func respond(to pointer: PointerEvent, _ environment: ScreenEnvironment) {
    guard phase == .choosing else { return }
    switch pointer.kind {
    case .wheelUp: move(by: -1)
    case .wheelDown: move(by: 1)
    case .click:
      let row = pointer.position.row - headingHeight(environment)
      guard (0..<height(environment)).contains(row), row + scroll.offset < lists?.count ?? 0 else { return }
      select(at: row + scroll.offset)
    }
  }
}

// MARK: - Drawing

extension ListPicker {
  /// The number of rows for the heading, which a low window does not have.
  private func headingHeight(_ environment: ScreenEnvironment) -> Int { environment.bodyRows > 2 ? 1 : 0 }

  /// The number of rows for lists.
  private func height(_ environment: ScreenEnvironment) -> Int {
    max(0, environment.bodyRows - headingHeight(environment) - (phase == .choosing ? 0 : 1))
  }

  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    let (columns, height) = (environment.columns, height(environment))
    let heading = moving.map { "Move “\($0.title.escapingControls())” to" } ?? "Lists"
    var lines = headingHeight(environment) > 0 ? [StyledText(heading.truncated(toWidth: columns), .heading)] : []
    lines += scroll.visibleLines(of: body(columns), height: height)
    var drawing = ScreenDrawing(lines: lines, hints: hints(environment), status: status)
    guard let naming, environment.bodyRows > 0 else { return drawing }
    let line = naming.line(columns: columns)
    let row = environment.bodyRows - 1
    drawing.lines += Array(repeating: StyledText(), count: max(0, row - lines.count)) + [line.text]
    if case .naming = phase {
      drawing.cursor = ScreenPosition(row: row, column: min(line.cursor, max(0, columns - 1)))
    }
    return drawing
  }

  private var naming: ListNaming? {
    switch phase {
    case .choosing: nil
    case .naming(let naming), .saving(let naming): naming
    }
  }

  /// Returns the lists, or the text in place of them.
  private func body(_ columns: Int) -> [StyledText] {
    if let lists { return lists.map { row($0, columns) } }
    guard let problem else { return [StyledText("Reading the lists".truncated(toWidth: columns), .faint)] }
    return problem.wrapped(toWidth: max(1, columns)).map { StyledText($0) }
  }

  /// Returns the row of a list, such as `>* ● Work`. The asterisk marks the list whose items are shown. A list that another user
  /// shares has the user's name.
  private func row(_ list: UserList, _ columns: Int) -> StyledText {
    let isSelected = list.id == selected
    let start = (isSelected ? ">" : " ") + (list.id == shown.id ? "* " : "  ")
    let mark = list.color == .none ? "  " : list.mark
    let sharing =
      list.role == .owner
      ? "" : "  \(list.ownerUser.escapingControls())'s, can \(list.role == .viewer ? "view" : "edit")"
    let row = StyledText(start) + mark + StyledText(list.name.escapingControls() + sharing)
    let text = row.text.truncated(toWidth: columns)
    if isSelected { return StyledText(text, .highlighted) }
    return row.text == text ? row : StyledText(start) + mark + StyledText(String(text.dropFirst(5)))
  }

  private var status: String {
    if case .saving = phase { return "saving" }
    guard phase == .choosing, let lists, let index else { return "" }
    return "\(index + 1) of \(lists.count)"
  }

  private func hints(_ environment: ScreenEnvironment) -> [KeyHint] {
    switch phase {
    case .saving: return []
    case .naming: return [KeyHint("Enter", "save"), KeyHint("Esc", "cancel")]
    case .choosing: break
    }
    guard lists != nil else { return [KeyHint("Esc", "back")] }
    let changes = environment.isReadOnly ? [] : [KeyHint("n", "new"), KeyHint("r", "rename")]
    return [KeyHint("Enter", moving == nil ? "show" : "move")] + changes + [
      KeyHint("Esc", "back"), KeyHint("?", "keys"),
    ]
  }
}
