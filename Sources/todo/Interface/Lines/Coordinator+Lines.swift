import ToDoModel

extension Coordinator {
  /// Returns the input that a command of the line interface stands for, or `nil` if it is impossible on the current screen.
  func inputs(for command: LineCommand) -> [TypedInput]? {
    switch command {
    case .keys(let keys): keys.allSatisfy(isCommand) ? keys.map(TypedInput.key) : nil
    case .answer(let key): isAsking ? [.key(key)] : nil
    case .check(let isChecked): inputs(checking: isChecked)
    case .search(let text): inputs(searching: text)
    case .field(let field, let text): inputs(setting: field, to: text)
    case .help, .quit: []
    }
  }

  /// Whether the form asks a question.
  private var isAsking: Bool {
    guard let form = topScreen as? FormScreen, case .asking = form.phase else { return false }
    return true
  }

  /// Whether a key is a command. In the form, characters are text.
  private func isCommand(_ key: KeyPress) -> Bool {
    if case .character = key { !(topScreen is FormScreen) } else { true }
  }

  private func inputs(checking isChecked: Bool) -> [TypedInput]? {
    guard let id = (topScreen as? ListScreen)?.selectedItem ?? (topScreen as? DetailScreen)?.id, let item = content[id]
    else { return nil }
    return item.isDone == isChecked ? [] : [.key(.character(" "))]
  }

  private func inputs(searching text: String) -> [TypedInput]? {
    guard topScreen is ListScreen else { return nil }
    let clearing: [TypedInput] = [.key(.character("/")), .key(.control("e")), .key(.control("u"))]
    return clearing + (text.isEmpty ? [] : [.paste(text)]) + [.key(.enter)]
  }

  private func inputs(setting field: FormField, to text: String) -> [TypedInput]? {
    guard let form = topScreen as? FormScreen, form.phase == .editing else { return nil }
    let fields = FormField.allCases.count
    let steps = (field.rawValue - form.focus.rawValue + fields) % fields
    let length = form.texts[field].text.count
    let clearing =
      Array(repeating: KeyPress.backspace, count: length) + Array(repeating: KeyPress.delete, count: length)
    return (Array(repeating: KeyPress.tab, count: steps) + clearing).map(TypedInput.key)
      + (text.isEmpty ? [] : [.paste(text)])
  }
}
