import ToDoModel

/// The choice of an item's step, and the changes to steps that are being saved, one after the other.
struct StepEditing: Equatable, Sendable {
  /// The index of the selected step.
  private(set) var selected: Int?
  /// The text of the selected step, by which the selection follows it.
  private var selectedText: String?
  /// The steps as the user wants them, until they are saved.
  private var wanted: [Step]?
  private var isSaving = false
  /// The item as it was last saved, until the list contains it.
  private var saved: ToDoItem?

  /// Returns the item with the steps as the user wants them.
  func current(_ item: ToDoItem) -> ToDoItem {
    guard wanted != nil || saved != nil else { return item }
    var current = latest(item)
    if let wanted { current.content.steps = wanted }
    return current
  }

  private func latest(_ item: ToDoItem) -> ToDoItem {
    guard let saved, saved.revision > item.revision else { return item }
    return saved
  }

  /// Whether changes of steps are not saved yet.
  var isUnsaved: Bool { isSaving || wanted != nil }

  /// Selects a step, or the nearest one; none if there are no steps.
  mutating func select(_ index: Int, of item: ToDoItem) {
    let steps = current(item).steps
    guard !steps.isEmpty else { return deselect() }
    let index = max(0, min(index, steps.count - 1))
    (selected, selectedText) = (index, steps[index].text)
  }

  /// Ends the selection.
  mutating func deselect() { (selected, selectedText) = (nil, nil) }

  /// Follows a change of the item. The selection stays with its step, or ends if it is unclear which step that is.
  mutating func itemChanged(_ item: ToDoItem) {
    if let saved, item.revision >= saved.revision { self.saved = nil }
    guard let selected else { return }
    let texts = current(item).steps.map(\.text)
    if texts.indices.contains(selected), texts[selected] == selectedText { return }
    let places = texts.indices.filter { texts[$0] == selectedText }
    if places.count == 1 { self.selected = places[0] } else { deselect() }
  }

  /// Checks or unchecks the selected step.
  mutating func toggle(_ item: ToDoItem) -> [ScreenAction] {
    var steps = current(item).steps
    guard let selected, steps.indices.contains(selected) else { return [] }
    steps[selected].isDone.toggle()
    wanted = steps
    return save(latest(item))
  }

  /// Receives the result of a change, and saves what the user has changed since.
  mutating func receive(_ result: Result<ToDoItem, EffectFailure>) -> [ScreenAction] {
    guard isSaving else { return [] }
    isSaving = false
    switch result {
    case .success(let item):
      saved = item
      if wanted == item.steps { wanted = nil }
      return save(item)
    case .failure:
      (wanted, saved) = (nil, nil)
      deselect()
      return []
    }
  }

  private mutating func save(_ item: ToDoItem) -> [ScreenAction] {
    guard let wanted, !isSaving else { return [] }
    isSaving = true
    return [.perform(.setSteps(item.id, wanted, ifRevision: item.revision))]
  }
}
