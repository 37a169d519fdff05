import ToDoModel

/// The choice of a step of an item, and the changes of steps that are being saved, one after the other.
struct StepEditing: Equatable, Sendable {
  /// The index of the selected step.
  private(set) var selected: Int?
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

  /// Selects a step, or the nearest one; none if there are no steps.
  mutating func select(_ index: Int, of item: ToDoItem) {
    let count = current(item).steps.count
    selected = count == 0 ? nil : max(0, min(index, count - 1))
  }

  /// Ends the selection.
  mutating func deselect() { selected = nil }

  /// Follows a change of the item.
  mutating func itemChanged(_ item: ToDoItem) {
    if let saved, item.revision >= saved.revision { self.saved = nil }
    if let selected { select(selected, of: item) }
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
      return []
    }
  }

  private mutating func save(_ item: ToDoItem) -> [ScreenAction] {
    guard let wanted, !isSaving else { return [] }
    isSaving = true
    return [.perform(.setSteps(item.id, wanted, ifRevision: item.revision))]
  }
}
