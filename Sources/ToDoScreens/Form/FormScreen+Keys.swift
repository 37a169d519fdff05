import ToDoModel
import ToDoText

extension FormScreen {
  /// The typed address as the service receives it.
  var address: String { texts[.address].text.oneLine }

  /// Whether the service will look up the typed address when the item is saved.
  ///
  /// The service looks up neither an address with a coordinate that the user set nor the address that the item already has.
  var isAddressLookedUp: Bool {
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
    case .locating:
      if key == .escape { phase = .editing }
      return []
    case .asking(let question):
      guard let answer = question.answer(key) else { return [] }
      if case .choice(let index) = answer { return choose(index, question, environment) }
      phase = .editing
      return answer == .agree ? agree(to: question, content, environment) : []
    case .editing: return isLine ? editLine(key, content, environment) : edit(key, environment)
    }
  }

  /// Takes a choice, and continues to save.
  private mutating func choose(
    _ index: Int, _ question: FormQuestion, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch question {
    case .choosesReading(let options):
      guard let choices = reading?.choices, choices.indices.contains(index) else { return [] }
      reading?.choose(choices[index])
      return save(options, environment)
    case .choosesPlace(let options):
      guard let choices = place?.choices, index == choices.count || choices.indices.contains(index) else { return [] }
      place?.choose(index == choices.count ? nil : choices[index])
      return save(options, environment)
    default: return []
    }
  }

  private mutating func agree(
    to question: FormQuestion, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch question {
    case .discardsChanges: return end(.closed)
    case .savesWithoutCoordinate(let options), .savesDuplicate(let options), .choosesReading(let options),
      .choosesPlace(let options):
      return save(options, environment)
    case .acceptsGuess(let options):
      search.take(0)
      return save(options, environment)
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
    case .enter where !focus.isMultiline: return enter(environment)
    default: return typed(texts.change(focus) { $0.handle(key) })
    }
    return []
  }

  /// Takes the selected candidate, or saves in the last field of one line, or else goes to the next field.
  private mutating func enter(_ environment: ScreenEnvironment) -> [ScreenAction] {
    if search.takeHighlighted() { return scheduleDraft() }
    guard focus.isLastLine else {
      moveFocus(to: focus.next ?? focus)
      return []
    }
    return save(SaveOptions(), environment)
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
      let effects = focus == .address ? search.restart(isNeeded: isAddressLookedUp) : []
      return effects.map(ScreenAction.perform) + scheduleDraft()
    }
  }

  mutating func scheduleDraft() -> [ScreenAction] {
    // The timer is not restarted, so that a draft is also stored while the user types without a pause.
    guard !isDraftScheduled else { return [] }
    isDraftScheduled = true
    return [.perform(.startTimer(.draft, .seconds(1)))]
  }

  /// Moves the focus to the field that was clicked, or takes the candidate that was clicked.
  mutating func click(_ position: ScreenPosition, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard let row = FormLayout(self, environment).row(at: position.row), let field = row.field else { return [] }
    moveFocus(to: field)
    guard let candidate = row.candidate else { return [] }
    search.take(candidate)
    return scheduleDraft()
  }
}
