import ToDoModel
import ToDoText

/// The stack of screens, the items that they show, and the transitions between the screens.
///
///     list ⇄ detail ⇄ form
///     list ⇄ form
///     list, detail ⇄ map ⇄ detail
///     list ⇄ lists ⇄ members
///     all ⇄ help, messages
///
/// In a wide window, the lists and the selected item stand beside the list, and each of them can receive the keys.
///
/// Only the coordinator refers to more than one kind of screen. It performs nothing itself and returns the effects.
package struct Coordinator: Sendable {
  private(set) var content = ListContent()
  /// The list is below all other screens, and never closed before the program ends.
  private(set) var list: ListScreen
  /// The screens above the list, the top one last.
  private(set) var covering: [any Screen] = []
  private(set) var ownChanges = OwnChanges()
  private var messages = StatusMessages()
  /// The line of a new item that the user has closed.
  private var keptLine: FormDraft?
  /// The list that the user is leaving.
  private var leaving: ListID?
  /// A draft of an earlier run, until its form can be opened.
  private var foundDraft: FormDraft?
  private(set) var sidebar = ListSidebar()

  /// Creates a coordinator that shows the list.
  package init(_ list: ListScreen) {
    self.list = list
  }

  /// The screen that receives the keys.
  var topScreen: any Screen { covering.last ?? list }

  /// Handles an event.
  ///
  /// - Returns: the effects to perform, in order.
  package mutating func handle(_ event: ScreenEvent, _ environment: ScreenEnvironment) -> [Effect] {
    let effects = respond(to: event, environment.showing(list.list))
    if covering.isEmpty, !panes(environment).contains(list.focus) { list.focus = .items }
    return effects + sidebarEffects(after: event, environment)
  }

  private mutating func respond(to event: ScreenEvent, _ environment: ScreenEnvironment) -> [Effect] {
    switch event {
    case .key, .pointer, .paste: return handleInput(event, environment)
    case .watch(let event): return apply(event, environment)
    case .result(let result): return handle(result, environment)
    case .timer, .resized, .minutePassed, .changed, .resumed: return deliver(event, environment)
    case .connection: return []
    case .listDeleted: return leaveDeletedList(environment)
    case .draftFound(let draft) where draft.isLine && !environment.takesCommands:
      keptLine = draft
      let text = draft.form[.title as EditForm.Field].oneLine.escapingControls()
      let origin = isOfShownList(draft) ? "" : " from \(name(ofListOf: draft)) here"
      if environment.refusal == nil { messages.show("press a to continue '\(text)'\(origin)") }
      return []
    case .draftFound(let draft):
      foundDraft = draft
      return openDraft(environment)
    }
  }

  /// Notes that the window was drawn, so that the next key ends the failures that it shows.
  package mutating func noteDrawing() { messages.noteDrawing() }

  /// Passes an input to the top screen.
  private mutating func handleInput(_ event: ScreenEvent, _ environment: ScreenEnvironment) -> [Effect] {
    messages.noteInput()
    switch event {
    case .key(.control("l")): return [.redraw]
    case .key(.control("g")) where topScreen is MessageScreen: return close(environment)
    case .key(.control("g")): return open(MessageScreen(messages.latest))
    case .key(let key) where !(topScreen is FormScreen):
      if let effects = handleInPane(key.simplified, environment) { return effects }
      return perform(handleOnTop(.key(key.simplified), environment), environment)
    case .pointer(let pointer) where covering.isEmpty: return handle(pointer, environment)
    default: return perform(handleOnTop(event, environment), environment)
    }
  }

  private mutating func apply(_ event: WatchEvent, _ environment: ScreenEnvironment) -> [Effect] {
    let wasLoaded = content.isLoaded
    let change = content.apply(event)
    var effects = change.isEmpty ? [] : deliver(.changed(change), environment)
    if !wasLoaded, content.isLoaded { effects += openDraft(environment) }
    return effects
  }

  private mutating func handle(_ result: EffectResult, _ environment: ScreenEnvironment) -> [Effect] {
    switch ownChanges.receive(result) {
    case .success(let text): messages.add(text, at: environment.now)
    case .failure(let failure): messages.addFailure(failure.message, at: environment.now)
    case nil: break
    }
    return takeLists(result, environment) + deliver(.result(result), environment)
  }

  /// Passes an event to the top screen.
  private mutating func handleOnTop(_ event: ScreenEvent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !covering.isEmpty else { return list.handle(event, content, besideSidebar(environment)) }
    return covering[covering.count - 1].handle(event, content, environment)
  }

  /// Passes an event to all screens.
  private mutating func deliver(_ event: ScreenEvent, _ environment: ScreenEnvironment) -> [Effect] {
    var actions = list.handle(event, content, besideSidebar(environment))
    for index in covering.indices { actions += covering[index].handle(event, content, environment) }
    return perform(actions, environment)
  }

  private mutating func perform(_ actions: [ScreenAction], _ environment: ScreenEnvironment) -> [Effect] {
    var effects: [Effect] = []
    for action in actions {
      switch action {
      case .perform(let action):
        let effect = inShownList(action)
        ownChanges.begin(effect, content)
        if case .changeSharing(let list, .left) = effect { leaving = list.id }
        effects.append(effect)
        // The form shared the file of drafts with the line.
        if effect == .storeDraft(nil), let keptLine { effects.append(.storeDraft(keptLine)) }
      case .message(let text): messages.show(text)
      case .failure(let text): messages.addFailure(text, at: environment.now)
      case .outcome(let outcome): effects += follow(outcome, environment)
      }
    }
    return effects
  }
}

// MARK: - Transitions

extension Coordinator {
  /// Makes the transition for an outcome of the top screen.
  private mutating func follow(_ outcome: ScreenOutcome, _ environment: ScreenEnvironment) -> [Effect] {
    switch outcome {
    case .opened(let id): return openDetail(id, environment)
    case .wantsToAdd:
      defer { keptLine = nil }
      return open(FormScreen(line: keptLine))
    case .wantsForm: return open(FormScreen())
    case .wantsToEdit(let id):
      guard let item = content[id] else { return [] }
      return open(FormScreen(editing: item, in: environment.zone))
    case .wantsMap(let items, let center): return openMap(items, center, environment)
    case .wantsHelp: return open(HelpScreen(at: topKeys))
    case .wantsLists: return openLists(environment)
    case .wantsMembers(let list): return open(ListMembers(list))
    case .wantsToMove(let id): return content[id].map { openLists(moving: $0, environment) } ?? []
    case .choseTarget(let target, let id):
      covering = []
      return perform([.perform(.move(id, from: list.list.id, to: target))], environment)
    case .chose(let chosen):
      guard chosen.id == list.list.id else { return show(chosen, environment) }
      list.focus = .items
      return covering.isEmpty ? [] : close(environment)
    case .wantsNearby(let id):
      covering = []
      return perform(list.showNearest(to: id, content, besideSidebar(environment)), environment)
    case .wantsUndo: return undo(environment)
    case .closed: return close(environment)
    case .postponed(let draft):
      let draft = placed(draft)
      keptLine = draft
      return [.storeDraft(draft)] + close(environment)
    case .saved(let item):
      list.select(item.id)
      return close(environment)
    }
  }

  /// The keys of the top screen; `nil` for the list, whose keys are the first.
  private var topKeys: KeyTable.Group? {
    switch topScreen {
    case is DetailScreen: KeyTable.detail
    case is MapScreen: KeyTable.map
    case is ListPicker: KeyTable.lists
    case is ListMembers: KeyTable.members
    case is ListScreen: list.focus == .items ? nil : KeyTable.panes
    default: nil
    }
  }

  private mutating func open(_ screen: some Screen) -> [Effect] {
    covering.append(screen)
    return []
  }

  private mutating func openDetail(_ id: ItemID, _ environment: ScreenEnvironment) -> [Effect] {
    var detail = DetailScreen(id)
    let actions = detail.opened()
    covering.append(detail)
    return perform(actions, environment)
  }

  private mutating func openMap(_ items: [ItemID], _ center: ItemID?, _ environment: ScreenEnvironment) -> [Effect] {
    var map = MapScreen(items: items, center: center)
    let actions = map.opened(content, environment)
    covering.append(map)
    return perform(actions, environment)
  }

  private mutating func openLists(moving item: ToDoItem? = nil, _ environment: ScreenEnvironment) -> [Effect] {
    var picker = ListPicker(shown: list.list, moving: item)
    let actions = picker.opened()
    covering.append(picker)
    return perform(actions, environment)
  }

  /// Shows the items of another list.
  private mutating func show(_ other: UserList, _ environment: ScreenEnvironment) -> [Effect] {
    if let counts = shownCounts(environment) { sidebar.take([list.list.id: counts]) }
    let invitationCount = list.invitationCount
    list = ListScreen(showing: list.section, filter: ListFilter(), of: other)
    list.invitationCount = invitationCount
    content = ListContent()
    covering = []
    ownChanges.leaveList()
    return [.showList(other.id)]
  }

  /// Updates the list that is shown from a result.
  private mutating func takeLists(_ result: EffectResult, _ environment: ScreenEnvironment) -> [Effect] {
    switch result {
    case .listsRead(.success(let set)):
      list.update(set.lists)
      sidebar.take(set.lists)
      // An older set may lack a list that was created since.
      let isDeleted = set.version >= list.list.version && !set.lists.contains { $0.id == list.list.id }
      return isDeleted ? leaveDeletedList(environment) : []
    case .listSaved(.success(let saved)):
      list.update([saved])
      sidebar.take(saved)
    case .invitationsRead(.success(let invitations)):
      list.invitationCount = invitations.count
      sidebar.take(invitations: invitations)
    case .itemsCounted(let counts): sidebar.take(counts)
    case .sharingChanged(let before, let change, let result):
      return takeSharing(of: before, change, result, environment)
    case .listSaved(.failure(let failure)): messages.addFailure(failure.message, at: environment.now)
    default: break
    }
    return []
  }

  /// Reports a change of who shares a list, and shows the default list if the user has left the one that is shown.
  private mutating func takeSharing(
    of before: UserList, _ change: ListSharingChange, _ result: Result<UserList, EffectFailure>,
    _ environment: ScreenEnvironment
  ) -> [Effect] {
    if change == .left { leaving = nil }
    switch result {
    case .failure(let failure):
      messages.addFailure(failure.message, at: environment.now)
      return []
    case .success where change == .left && before.id == list.list.id:
      let effects = show(.inbox, environment)
      messages.add("\(change.text(before)). This is the default list", at: environment.now)
      return effects
    case .success(let after):
      messages.add(change.text(before), at: environment.now)
      guard change != .left, change != .declined else { return [] }
      list.update([after])
      sidebar.take(after)
      return []
    }
  }

  /// Shows the default list, because the one that was shown was deleted or is no longer shared. A form remains, so that nothing
  /// typed is lost.
  private mutating func leaveDeletedList(_ environment: ScreenEnvironment) -> [Effect] {
    guard !list.list.id.isDefault else { return [] }
    let (left, forms) = (list.list, covering.filter { $0 is FormScreen })
    foundDraft?.list = nil
    let effects = show(.inbox, environment)
    covering = forms
    // The result of leaving follows.
    guard left.id != leaving else { return effects }
    let name = left.name.escapingControls()
    let reason =
      left.role == .owner
      ? "the list '\(name)' was deleted; restore it with 'todo lists restore'"
      : "\(left.ownerUser.escapingControls()) no longer shares the list '\(name)' with you"
    messages.addFailure("\(reason). This is the default list", at: environment.now)
    return effects
  }

  /// Closes the top screen.
  private mutating func close(_ environment: ScreenEnvironment) -> [Effect] {
    guard !covering.isEmpty else { return [.quit] }
    covering.removeLast()
    return perform(handleOnTop(.resumed, environment), environment)
  }

  /// Opens a draft's form in the list in which it was begun, where it is saved. The draft of an edit needs the item, which the
  /// list contains once it is loaded.
  private mutating func openDraft(_ environment: ScreenEnvironment) -> [Effect] {
    guard let draft = foundDraft else { return [] }
    var effects: [Effect] = []
    if !isOfShownList(draft) {
      messages.show("this draft belongs to \(name(ofListOf: draft)), which is shown now")
      effects = show(draft.list.map { UserList(id: $0.id, name: $0.name) } ?? .inbox, environment)
    }
    guard draft.item == nil || content.isLoaded else { return effects }
    foundDraft = nil
    let item = draft.item.flatMap { content[$0] }
    return effects + open(FormScreen(draft: draft, original: item, in: environment.zone))
  }

  private func isOfShownList(_ draft: FormDraft) -> Bool { (draft.list?.id ?? .default) == list.list.id }

  private func name(ofListOf draft: FormDraft) -> String {
    draft.list.map { "the list '\($0.name.escapingControls())'" } ?? "the default list"
  }

  /// Returns a draft with the list that is shown.
  private func placed(_ draft: FormDraft) -> FormDraft {
    var placed = draft
    placed.list = list.list.id.isDefault ? nil : DraftList(id: list.list.id, name: list.list.name)
    return placed
  }

  /// Returns an effect as it is performed while a list is shown.
  private func inShownList(_ effect: Effect) -> Effect {
    switch effect {
    case .storeDraft(let draft?): .storeDraft(placed(draft))
    case .addElsewhere(let content, let options, let target) where target.id == list.list.id: .add(content, options)
    default: effect
    }
  }

  private mutating func undo(_ environment: ScreenEnvironment) -> [Effect] {
    guard let revision = ownChanges.startReversal() else {
      messages.show("nothing was changed here that can be undone; 'todo undo' undoes earlier changes")
      return []
    }
    return [.revert(revision)]
  }
}

// MARK: - Panes

extension Coordinator {
  /// Returns the list's environment in the part of the window that the sidebar leaves.
  private func besideSidebar(_ environment: ScreenEnvironment) -> ScreenEnvironment {
    var environment = environment
    environment.size.columns -= sidebarWidth(environment)
    return environment
  }

  /// The width of the sidebar with the line beside it; 0 if it is not shown.
  private func sidebarWidth(_ environment: ScreenEnvironment) -> Int {
    sidebar.columns(environment).map { $0 + StyledText.paneSeparator(isFocused: false).displayWidth } ?? 0
  }

  /// The parts of the window that can receive the keys, from left to right. None while another screen covers the list, or the
  /// list reads a text or an answer.
  private func panes(_ environment: ScreenEnvironment) -> [WindowPane] {
    guard covering.isEmpty, !list.input.isOpen, list.question == nil else { return [] }
    let lists: [WindowPane] = sidebarWidth(environment) > 0 ? [.lists] : []
    return lists + [.items] + (list.side.isShown ? [.item] : [])
  }

  /// Handles a key that goes to another part of the window, or belongs to one beside the items.
  ///
  /// - Returns: `nil` for a key of the list.
  private mutating func handleInPane(_ key: KeyPress, _ environment: ScreenEnvironment) -> [Effect]? {
    let panes = panes(environment)
    guard panes.count > 1, let index = panes.firstIndex(of: list.focus) else { return nil }
    switch (key, list.focus) {
    case (.tab, _): focus(panes[(index + 1) % panes.count], environment)
    case (.backTab, _): focus(panes[(index + panes.count - 1) % panes.count], environment)
    case (.escape, .lists), (.escape, .item), (.left, .lists), (.left, .item): focus(.items, environment)
    case (_, .lists): return perform(sidebar.handle(key, environment), environment)
    case (_, .item): return list.scrollSide(key, besideSidebar(environment)) ? [] : nil
    case (_, .items): return nil
    }
    return []
  }

  private mutating func focus(_ pane: WindowPane, _ environment: ScreenEnvironment) {
    list.focus = pane
    if pane == .lists { sidebar.begin(at: list.list.id, environment) }
  }

  /// Passes a mouse event to the part of the window in which it happened.
  private mutating func handle(_ pointer: PointerEvent, _ environment: ScreenEnvironment) -> [Effect] {
    let width = sidebarWidth(environment)
    guard pointer.position.column >= width else {
      return panes(environment).isEmpty ? [] : perform(sidebar.handle(pointer, environment), environment)
    }
    var inner = pointer
    inner.position.column -= width
    return perform(handleOnTop(.pointer(inner), environment), environment)
  }

  /// Returns the effects that keep the lists of the sidebar and their numbers current, if the window has room for it.
  private mutating func sidebarEffects(after event: ScreenEvent, _ environment: ScreenEnvironment) -> [Effect] {
    guard environment.sidebarColumns != nil else { return [] }
    let watching: [Effect] = sidebar.isWatched ? [] : [.watchLists]
    sidebar.isWatched = true
    guard environment.connection.isUsable else { return watching }
    let counting: [Effect] = sidebar.lists.count > 1 ? [.countItems(sidebar.lists.map(\.id))] : []
    switch event {
    case .minutePassed: return watching + counting + (environment.connection == .local ? [] : [.readInvitations])
    case .result(.listsRead(.success)), .result(.addedElsewhere(_, .success)), .result(.reverted(.success)),
      .result(.changed(_, .moved, .success)):
      return watching + counting
    default: return watching
    }
  }

  /// The numbers of incomplete items of the list that is shown, if they are known.
  private func shownCounts(_ environment: ScreenEnvironment) -> ListCounts? {
    list.counts(content, after: sidebar.counts[list.list.id], environment)
  }

  /// Returns the lines of the list with the lists beside them.
  private func withSidebar(
    _ lines: [StyledText], height: Int, _ environment: ScreenEnvironment
  ) -> [StyledText] {
    guard sidebarWidth(environment) > 0 else { return lines }
    let surroundings = ListSidebar.Surroundings(
      shown: list.list, counts: shownCounts(environment), isFocused: list.focus == .lists)
    return sidebar.beside(lines, surroundings, height: height, environment)
  }
}

// MARK: - Drawing

extension Coordinator {
  /// Returns the drawing of the window: the top screen and, in the last rows, the status.
  ///
  /// The status has one row, and more for a message or a question that needs them.
  package func window(_ environment: ScreenEnvironment) -> WindowDrawing {
    guard environment.size.rows > 0 else { return WindowDrawing(lines: []) }
    let environment = environment.showing(list.list)
    var (inner, drawing) = (environment, self.drawing(environment))
    let status = statusLines(drawing, environment)
    if status.count > 1 {
      inner.size.rows -= status.count - 1
      drawing = self.drawing(inner)
    }
    let body = drawing.lines.prefix(inner.bodyRows)
    let padding = Array(repeating: StyledText(), count: inner.bodyRows - body.count)
    return WindowDrawing(lines: body + padding + status, cursor: drawing.cursor)
  }

  /// Returns the drawing of the top screen, with the list above it if it is a panel.
  private func drawing(_ environment: ScreenEnvironment) -> ScreenDrawing {
    guard !covering.isEmpty else { return listDrawing(environment) }
    var drawing = topScreen.drawing(content, environment)
    guard drawing.isPanel else { return drawing }
    let room = environment.bodyRows - drawing.lines.count
    let items = list.drawing(content, besideSidebar(environment)).lines.prefix(room)
    let lines = withSidebar(Array(items), height: room, environment)
    drawing.lines = lines + Array(repeating: StyledText(), count: room - lines.count) + drawing.lines
    drawing.cursor?.row += room
    return drawing
  }

  /// Returns the drawing of the list, with the lists beside it.
  private func listDrawing(_ environment: ScreenEnvironment) -> ScreenDrawing {
    var drawing = list.drawing(content, besideSidebar(environment))
    drawing.lines = withSidebar(drawing.lines, height: environment.bodyRows, environment)
    drawing.cursor?.column += sidebarWidth(environment)
    switch list.focus {
    case .lists: (drawing.status, drawing.hints) = (sidebar.status, ListSidebar.hints)
    case .items where panes(environment).contains(.lists): drawing.hints.append(KeyHint("Shift-Tab", "lists"))
    case .items, .item: break
    }
    return drawing
  }

  /// Returns the status: the state of the connection, the message or the screen's status, and as many keys as fit.
  private func statusLines(_ drawing: ScreenDrawing, _ environment: ScreenEnvironment) -> [StyledText] {
    let message = message(environment)
    var status = message.isEmpty ? drawing.status : message
    // The user must see what the next key answers.
    if drawing.isAsking, !message.isEmpty { status += "\n\(drawing.status)" }
    let texts = [environment.connection.text(environment) ?? "", status]
    let text = texts.filter { !$0.isEmpty }.joined(separator: Self.separator)
    let isWrapped = !message.isEmpty || drawing.isAsking
    // A question must be seen with all its answers.
    let limit = drawing.isAsking ? environment.size.rows - 2 : environment.size.rows / 2
    let lines = Self.lines(of: text, columns: environment.columns, limit: isWrapped ? max(1, limit) : 1)
    let room = environment.columns - (lines.last?.displayWidth ?? 0)
    let keys = keysText(drawing.hints, room: room, isFirst: text.isEmpty, environment)
    var style = isWrapped ? TextStyle.plain : .faint
    if case .lost = environment.connection { style = .overdue }
    return lines.dropLast().map { StyledText($0, style) }
      + [StyledText(lines.last ?? "", style) + StyledText(keys, .faint)]
  }

  private func message(_ environment: ScreenEnvironment) -> String {
    messages.text(key: environment.takesCommands ? "'messages'" : "Ctrl-G")
  }

  /// Returns the lines of a text, in which line breaks remain. The last line is cut off if there are more.
  private static func lines(of text: String, columns: Int, limit: Int) -> [String] {
    guard limit > 1, columns > 1 else { return [text.truncated(toWidth: columns)] }
    let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = paragraphs.flatMap { String($0).wrapped(toWidth: columns) }
    guard lines.count > limit else { return lines }
    let last = lines[(limit - 1)...].joined(separator: " ").truncated(toWidth: columns)
    return lines.prefix(limit - 1) + [last]
  }

  /// Returns the keys that fit, such as ` · a add · q quit`. The undo of the last change is the first.
  private func keysText(
    _ hints: [KeyHint], room: Int, isFirst: Bool, _ environment: ScreenEnvironment
  ) -> String {
    let hints = offeredHints(hints, environment)
    let offers = environment.takesCommands ? hints.compactMap(\.command) : hints.map { "\($0.key) \($0.action)" }
    var text = ""
    for offer in offers {
      let separator = isFirst && text.isEmpty ? "" : Self.separator
      let added = "\(separator)\(offer)"
      guard (text + added).displayWidth <= room else { break }
      text += added
    }
    return text
  }

  private func offeredHints(_ hints: [KeyHint], _ environment: ScreenEnvironment) -> [KeyHint] {
    guard let index = hints.firstIndex(where: { $0.key == "u" }) else { return hints }
    var others = hints
    others.remove(at: index)
    guard let offer = ownChanges.offer(in: content) else { return others }
    // The message already names the change.
    return [KeyHint("u", message(environment) == offer ? "undo" : "undo: \(offer)")] + others
  }

  private static let separator = " · "
}

extension ServiceLink {
  /// The state as the status line shows it, or `nil` if the service is reachable.
  fileprivate func text(_ environment: ScreenEnvironment) -> String? {
    switch self {
    case .local, .connected: nil
    case .connecting: "connecting"
    case .lost(let since): "server unreachable since \(since.minuteText(environment))"
    }
  }
}

extension Timestamp {
  /// Returns the hour and minute of today, or also the date of another day.
  func minuteText(_ environment: ScreenEnvironment) -> String {
    let minute = Timestamp(microseconds: microseconds / 60_000_000 * 60_000_000)
    let text = DueDate.time(minute).shortText(today: environment.today, in: environment.zone)
    return text.hasPrefix("today ") ? String(text.dropFirst(6)) : text
  }
}
