import ToDoModel

// MARK: - Search and filter lines

extension ListScreen {
  /// Handles a key while a search or a filter is being typed.
  mutating func handleInput(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch (key, input) {
    case (.up, _): moveSelection(by: -1)
    case (.down, _): moveSelection(by: 1)
    case (.pageUp, _): moveSelection(by: -pageSize(environment))
    case (.pageDown, _): moveSelection(by: pageSize(environment))
    case (.enter, .search): input = .none
    case (.enter, .filter(let fields)):
      let new = fields.applied(to: filter)
      if let problem = new.problem(environment.dates) { return [.message(problem)] }
      input = .none
      return apply(new, environment)
    case (.escape, .search):
      input = .none
      return search(for: "", environment)
    case (.escape, .filter):
      input = .none
      return apply(ListFilter(text: filter.text), environment)
    case (.tab, .filter(var fields)), (.backTab, .filter(var fields)):
      fields.switchFields()
      input = .filter(fields)
    default: return edit(environment) { $0.handle(key) }
    }
    return []
  }

  /// Inserts a pasted text.
  mutating func paste(_ text: String, _ environment: ScreenEnvironment) -> [ScreenAction] {
    edit(environment) { $0.insert(text) }
  }

  /// Edits the field with the cursor. The results of a search appear at once.
  private mutating func edit(
    _ environment: ScreenEnvironment, _ change: (inout TextField) -> TextField.Response
  ) -> [ScreenAction] {
    switch input {
    case .none: return []
    case .search(var field):
      let response = change(&field)
      input = .search(field)
      return response == .changed ? search(for: field.text, environment) : []
    case .filter(var fields):
      _ = change(&fields.current)
      input = .filter(fields)
      return []
    }
  }
}
