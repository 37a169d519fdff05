import ToDoModel

extension FormScreen {
  /// The typed address as the service receives it.
  var address: String { texts[.address].text.oneLine }

  /// Whether the service will look up the typed address when the item is saved.
  ///
  /// The service looks up neither an address with a coordinate that the user set nor the address that the item already has.
  private var isAddressLookedUp: Bool {
    guard original[.coordinate].isEmpty, !address.isEmpty else { return false }
    return target.item == nil || address != original[.address]
  }

  /// Handles a key.
  mutating func respond(
    to key: KeyPress, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    isRestored = false
    switch phase {
    case .saving: return []
    case .asking(let question):
      guard let answer = question.answer(key) else { return [] }
      phase = .editing
      return answer ? agree(to: question, content, environment) : []
    case .editing: return edit(key, environment)
    }
  }

  private mutating func agree(
    to question: FormQuestion, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch question {
    case .discardsChanges: return end(.closed)
    case .savesWithoutCoordinate(let options), .savesDuplicate(let options): return save(options, environment)
    case .overwrites(let options):
      if case .item(let item, _) = target, let current = content[item.id] {
        target = .item(item, ifRevision: current.revision)
      }
      return save(options, environment)
    }
  }

  private mutating func edit(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch key {
    case .control("s"): return save(SaveOptions(), environment)
    case .escape:
      guard isChanged else { return end(.closed) }
      phase = .asking(.discardsChanges)
    case .tab: moveFocus(to: focus.next ?? .title)
    case .backTab: moveFocus(to: focus.previous ?? .note)
    case .up: moveUp(environment)
    case .down: moveDown(environment)
    case .enter where !focus.isMultiline:
      if !search.takeHighlighted() { moveFocus(to: focus.next ?? focus) }
    default: return typed(texts.change(focus) { $0.handle(key) })
    }
    return []
  }

  mutating func moveFocus(to field: FormField) {
    focus = field
    search.clearHighlight()
  }

  private mutating func moveUp(_ environment: ScreenEnvironment) {
    if focus == .address, search.moveHighlight(by: -1) { return }
    if focus.isMultiline, moveCursor(rows: -1, environment) { return }
    moveFocus(to: focus.previous ?? focus)
  }

  private mutating func moveDown(_ environment: ScreenEnvironment) {
    if focus == .address, search.moveHighlight(by: 1) { return }
    if focus.isMultiline, moveCursor(rows: 1, environment) { return }
    moveFocus(to: focus.next ?? focus)
  }

  private mutating func moveCursor(rows: Int, _ environment: ScreenEnvironment) -> Bool {
    texts.change(focus) { $0.moveCursor(rows: rows, width: FormLayout.textWidth(environment)) }
  }

  /// Returns what follows an edit of the text in focus.
  mutating func typed(_ response: TextField.Response) -> [ScreenAction] {
    switch response {
    case .ignored, .handled: return []
    case .refused: return [.message("the \(focus.label) is limited to \(focus.limit) bytes; shorten it")]
    case .changed:
      var effects = focus == .address ? search.restart(isNeeded: isAddressLookedUp) : []
      // The timer is not restarted, so that a draft is also stored while the user types without a pause.
      if !isDraftScheduled { effects.append(.startTimer(.draft, .seconds(1))) }
      isDraftScheduled = true
      return effects.map(ScreenAction.perform)
    }
  }

  /// Moves the focus to the field that was clicked, or takes the candidate that was clicked.
  mutating func click(_ position: ScreenPosition, _ environment: ScreenEnvironment) {
    guard let row = FormLayout(self, environment).row(at: position.row), let field = row.field else { return }
    moveFocus(to: field)
    if let candidate = row.candidate { search.take(candidate) }
  }
}
