import ToDoModel
import ToDoText

/// The screen of the user's lists, in which one is chosen, to show it or to move an item there, created or renamed. Below them are
/// the lists to which other users invite the user.
struct ListPicker: Screen {
  /// The phase of a change to the lists, which determines the meaning of keys.
  enum Phase: Equatable, Sendable {
    case choosing
    case naming(ListNaming)
    /// The name is being saved. The screen takes no edits.
    case saving(ListNaming)
    /// Whether to leave a list, or to decline it.
    case asking(LeavingQuestion)
  }

  /// The list whose items are shown.
  private(set) var shown: UserList
  /// The lists in order, or `nil` until they are read.
  private(set) var lists: [UserList]?
  /// The lists to which other users invite the user.
  private(set) var invitations: [UserList] = []
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
  mutating func opened() -> [ScreenAction] { moving == nil ? Self.reading : [.perform(.readLists)] }

  private static let reading: [ScreenAction] = [.perform(.readLists), .perform(.readInvitations)]

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    let actions = respond(to: event, environment)
    if let index { scroll.show(index..<index + 1, height: height(environment)) }
    scroll.clamp(lineCount: shownLists.count, height: height(environment))
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
    case .result(.invitationsRead(.success(let invitations))) where moving == nil: take(invitations)
    case .result(.sharingChanged(_, let change, .success(let list))):
      take(list, after: change)
      return moving == nil ? Self.reading : []
    case .changed, .result, .timer, .resized, .minutePassed, .resumed, .watch, .draftFound, .listDeleted, .connection:
      break
    }
    return []
  }

  /// The lists and the invitations, in order. None until the lists are read.
  private var shownLists: [UserList] { lists.map { $0 + invitations } ?? [] }

  /// The index of the selected list.
  private var index: Int? { shownLists.firstIndex { $0.id == selected } }

  private var selectedList: UserList? { index.map { shownLists[$0] } }
}

// MARK: - Results

extension ListPicker {
  private mutating func take(_ result: Result<ListSet, EffectFailure>) {
    switch result {
    case .success(let set):
      keepingSelection { ($0.lists, $0.problem) = (set.lists, nil) }
      if let list = set.lists.first(where: { $0.id == shown.id }) { shown = list }
    case .failure(let failure): problem = failure.message
    }
  }

  /// Takes a list that the user has accepted or left, or whose members have changed, and selects it if it is still there.
  private mutating func take(_ list: UserList, after change: ListSharingChange) {
    switch change {
    case .accepted:
      invitations.removeAll { $0.id == list.id }
      lists = (lists ?? []).filter { $0.id != list.id } + [list]
      selected = list.id
    case .declined, .left:
      keepingSelection {
        $0.invitations.removeAll { $0.id == list.id }
        $0.lists?.removeAll { $0.id == list.id }
      }
    case .shared, .unshared: lists = lists?.map { $0.id == list.id ? list : $0 }
    }
  }

  private mutating func take(_ invitations: [UserList]) {
    keepingSelection { $0.invitations = invitations }
    if case .asking(let question) = phase, !shownLists.contains(where: { $0.id == question.list.id }) {
      phase = .choosing
    }
  }

  /// Changes the lists, and selects another one if the selected one is no longer there.
  private mutating func keepingSelection(_ change: (inout Self) -> Void) {
    let old = index
    change(&self)
    if index == nil { select(at: old ?? 0) }
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
      return [.message(naming.list == nil ? "created '\(name)'" : "renamed to '\(name)'"), .perform(.readLists)]
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
    case .asking(let question):
      guard let answer = YesOrNo(key) else { return [] }
      phase = .choosing
      return answer == .yes ? change(question.effect, environment) : []
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
      guard !list.isInvitation else { return [.message(Self.invitationMessage(list, environment))] }
      guard environment.connection.isUsable else { return [.message(ListMessage.notConnected)] }
      guard let moving else { return [.outcome(.chose(list))] }
      guard list.id != shown.id else { return [.message("the item is in this list; select another one")] }
      return [.outcome(.choseTarget(list, of: moving.id))]
    case .character("n"): return begin(ListNaming(), environment)
    case .character("r"): return selectedList.map { rename($0, environment) } ?? []
    case .character("a"): return selectedList.map { accept($0, environment) } ?? []
    case .character("x"): return selectedList.map { leave($0, environment) } ?? []
    case .character("s"):
      guard let list = selectedList, moving == nil else { return [] }
      return list.isInvitation
        ? [.message(Self.invitationMessage(list, environment))] : [.outcome(.wantsMembers(of: list))]
    case .character("?"): return [.outcome(.wantsHelp)]
    case .escape, .character("q"): return [.outcome(.closed)]
    default: break
    }
    return []
  }

  /// Returns the whole invitation, which a narrow window cuts off, and the keys that answer it.
  private static func invitationMessage(_ list: UserList, _ environment: ScreenEnvironment) -> String {
    let invitation =
      "\(list.ownerUser.escapingControls()) invites you to \(list.role.verb) '\(list.name.escapingControls())'"
    let answers = environment.takesCommands ? "type 'accept' or 'decline'" : "press a to accept, or x to decline"
    return "\(invitation); \(answers)"
  }

  private func accept(_ list: UserList, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard moving == nil else { return [] }
    guard list.isInvitation else { return [.message("this list is yours already; an invitation can be accepted")] }
    return change(.changeSharing(list, .accepted), environment)
  }

  /// Asks whether to leave a list, or to decline it.
  private mutating func leave(_ list: UserList, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard moving == nil else { return [] }
    guard list.role != .owner else { return [.message("this list is your own; 'todo lists delete' deletes it")] }
    guard !environment.isReadOnly else { return [.message(ListMessage.readOnly)] }
    phase = .asking(LeavingQuestion(list: list))
    return []
  }

  private func change(_ effect: Effect, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !environment.isReadOnly else { return [.message(ListMessage.readOnly)] }
    return environment.connection.isUsable ? [.perform(effect)] : [.message(ListMessage.notConnected)]
  }

  /// Lets the user rename a list of the user's own.
  private mutating func rename(_ list: UserList, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard list.role == .owner else {
      let (owner, name) = (list.ownerUser.escapingControls(), list.name.escapingControls())
      return [.message("only \(owner) can rename '\(name)'")]
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
    let lists = shownLists
    guard !lists.isEmpty else { return }
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
      guard (0..<height(environment)).contains(row), row + scroll.offset < shownLists.count else { return }
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
    max(0, environment.bodyRows - headingHeight(environment) - (naming == nil ? 0 : 1))
  }

  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    let (columns, height) = (environment.columns, height(environment))
    let count = invitations.isEmpty ? "" : " · \(invitations.count.invitationsText)"
    let heading = moving.map { "Move '\($0.title.escapingControls())' to" } ?? "Lists\(count)"
    var lines = headingHeight(environment) > 0 ? [StyledText(heading.truncated(toWidth: columns), .heading)] : []
    lines += scroll.visibleLines(of: body(columns), height: height)
    var drawing = ScreenDrawing(lines: lines, hints: hints(environment), status: status)
    if case .asking = phase { drawing.isAsking = true }
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
    case .choosing, .asking: nil
    case .naming(let naming), .saving(let naming): naming
    }
  }

  /// Returns the lists, or the text in place of them.
  private func body(_ columns: Int) -> [StyledText] {
    if lists != nil { return shownLists.map { row($0, columns) } }
    guard let problem else { return [StyledText("Reading the lists".truncated(toWidth: columns), .faint)] }
    return problem.wrapped(toWidth: max(1, columns)).map { StyledText($0) }
  }

  /// Returns the row of a list, such as `>* ● Work`. The asterisk marks the list whose items are shown. A shared list has the
  /// names of the other users.
  private func row(_ list: UserList, _ columns: Int) -> StyledText {
    let isSelected = list.id == selected
    let start = (isSelected ? ">" : " ") + (list.id == shown.id ? "* " : "  ")
    let sharing = list.sharingText.map { "  \($0)" } ?? ""
    let row = StyledText(start) + list.mark + StyledText(list.name.escapingControls() + sharing)
    let text = row.text.truncated(toWidth: columns)
    if isSelected { return StyledText(text, .highlighted) }
    return row.text == text ? row : StyledText(start) + list.mark + StyledText(String(text.dropFirst(5)))
  }

  private var status: String {
    if case .saving = phase { return "saving" }
    if case .asking(let question) = phase { return question.text }
    guard phase == .choosing, let index else { return "" }
    return "\(index + 1) of \(shownLists.count)"
  }

  private func hints(_ environment: ScreenEnvironment) -> [KeyHint] {
    switch phase {
    case .saving, .asking: return []
    case .naming: return [KeyHint("Enter", "save"), KeyHint("Esc", "cancel")]
    case .choosing: break
    }
    guard lists != nil else { return [KeyHint("Esc", "back")] }
    let end = [KeyHint("Esc", "back"), KeyHint("?", "keys")]
    guard let list = selectedList, !list.isInvitation else {
      return (environment.isReadOnly ? [] : [KeyHint("a", "accept"), KeyHint("x", "decline")]) + end
    }
    let changes = environment.isReadOnly ? [] : [KeyHint("n", "new"), KeyHint("r", "rename")]
    return [KeyHint("Enter", moving == nil ? "show" : "move")] + changes + sharingHints(list, environment) + end
  }

  private func sharingHints(_ list: UserList, _ environment: ScreenEnvironment) -> [KeyHint] {
    guard moving == nil, environment.connection != .local, !list.id.isDefault else { return [] }
    let leave = list.role == .owner || environment.isReadOnly ? [] : [KeyHint("x", "leave")]
    return [KeyHint("s", "members")] + leave
  }
}

extension UserList {
  /// The users who share the list, and what they can do; `nil` if it is not shared.
  var sharingText: String? {
    let owner = ownerUser.escapingControls()
    if isInvitation { return "\(owner) invites you to \(role.verb)" }
    guard role == .owner else { return "\(owner)'s, \(role.ability)" }
    let names = members.map { $0.user.escapingControls() + ($0.isInvited ? " (invited)" : "") }
    return names.isEmpty ? nil : "shared with \(names.joined(separator: ", "))"
  }
}
