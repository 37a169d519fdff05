import ToDoModel

extension Coordinator {
  /// Returns the input that a command of the line interface stands for, or `nil` if it is impossible on the current screen.
  package func inputs(for command: LineCommand) -> [ScreenEvent]? {
    switch command {
    case .keys(let keys): keys.allSatisfy(isCommand) ? keys.map(ScreenEvent.key) : nil
    case .answer(let key): isAsking ? [.key(key)] : nil
    case .check(let isChecked): inputs(checking: isChecked)
    case .add(let text): inputs(adding: text)
    case .search(let text): inputs(searching: text)
    case .postpone(let text): inputs(postponingTo: text)
    case .field(let field, let text): inputs(setting: field, to: text)
    case .createList(let name): inputs(naming: "n", name)
    case .renameList(let name): inputs(naming: "r", name)
    case .choose(let command): inputs(choosing: command)
    case .invite(let user): inputs(inviting: user)
    case .help, .quit: []
    }
  }

  /// Whether the screen asks a question.
  private var isAsking: Bool {
    switch topScreen {
    case let list as ListScreen: list.question != nil
    case let picker as ListPicker: if case .asking = picker.phase { true } else { false }
    case let members as ListMembers: if case .asking = members.phase { true } else { false }
    case let form as FormScreen: if case .asking = form.phase { true } else { false }
    default: false
    }
  }

  /// Whether a key is a command. In the form and in the name of a list, characters are text
  /// unless they answer a question.
  private func isCommand(_ key: KeyPress) -> Bool {
    guard case .character = key else { return true }
    if let picker = topScreen as? ListPicker { return picker.phase == .choosing }
    if let members = topScreen as? ListMembers { return members.phase == .choosing }
    return isAsking || !(topScreen is FormScreen)
  }

  /// Returns the inputs that create or rename a list.
  private func inputs(naming key: Character, _ name: String) -> [ScreenEvent]? {
    guard let picker = topScreen as? ListPicker else { return nil }
    let reset: [KeyPress] = picker.phase == .choosing ? [] : [.escape]
    let keys = reset + [.character(key), .control("e"), .control("u")]
    return keys.map(ScreenEvent.key) + [.paste(name), .key(.enter)]
  }

  private func inputs(choosing command: SharingCommand) -> [ScreenEvent]? {
    let isPicking = (topScreen as? ListPicker)?.phase == .choosing
    let isAmongMembers = (topScreen as? ListMembers)?.phase == .choosing
    switch command {
    case .accept: return isPicking ? [.key(.character("a"))] : nil
    case .leave: return isPicking ? [.key(.character("x"))] : nil
    case .members: return isPicking ? [.key(.character("s"))] : nil
    case .unshare: return isAmongMembers ? [.key(.character("d"))] : nil
    case .view: return isAmongMembers ? [.key(.character("v"))] : nil
    }
  }

  private func inputs(inviting user: String) -> [ScreenEvent]? {
    guard let members = topScreen as? ListMembers, !isAsking else { return nil }
    let reset: [KeyPress] = members.phase == .choosing ? [] : [.escape]
    return (reset + [.character("a")]).map(ScreenEvent.key) + [.paste(user), .key(.enter)]
  }

  private func inputs(checking isChecked: Bool) -> [ScreenEvent]? {
    // The list answers that nothing is selected.
    if let list = topScreen as? ListScreen, list.isDeselected { return [.key(.character(" "))] }
    guard let id = (topScreen as? ListScreen)?.selectedItem ?? (topScreen as? DetailScreen)?.id, let item = content[id]
    else { return nil }
    if let steps = (topScreen as? DetailScreen)?.steps, let selected = steps.selected {
      let list = steps.current(item).steps
      guard list.indices.contains(selected) else { return [] }
      return list[selected].isDone == isChecked ? [] : [.key(.character(" "))]
    }
    return item.isDone == isChecked ? [] : [.key(.character(" "))]
  }

  private func inputs(adding text: String) -> [ScreenEvent]? { inputs(from: [.character("a")], entering: text) }

  private func inputs(searching text: String) -> [ScreenEvent]? { inputs(from: [.character("/")], entering: text) }

  private func inputs(postponingTo text: String) -> [ScreenEvent]? {
    guard let list = topScreen as? ListScreen, !isAsking else { return nil }
    // The list answers that nothing can be postponed.
    guard let item = list.selected?.item, !item.isDone else { return [.key(.character("p"))] }
    return inputs(from: [.character("p")], entering: text)
  }

  /// Returns the inputs that open a line of the list, replace its text and accept it.
  private func inputs(from keys: [KeyPress], entering text: String) -> [ScreenEvent]? {
    guard topScreen is ListScreen, !isAsking else { return nil }
    let clearing = (keys + [.control("e"), .control("u")]).map(ScreenEvent.key)
    return clearing + (text.isEmpty ? [] : [.paste(text)]) + [.key(.enter)]
  }

  private func inputs(setting field: FormField, to text: String) -> [ScreenEvent]? {
    switch field {
    case .due where topScreen is ListScreen: return inputs(from: [.character("f")], entering: text)
    case .place where topScreen is ListScreen: return inputs(from: [.character("f"), .tab], entering: text)
    default: break
    }
    guard let form = topScreen as? FormScreen, form.phase == .editing, !form.isLine || field == .title else {
      return nil
    }
    let fields = FormField.allCases.count
    let steps = (field.rawValue - form.focus.rawValue + fields) % fields
    let length = form.texts[field].text.count
    let clearing =
      Array(repeating: KeyPress.backspace, count: length) + Array(repeating: KeyPress.delete, count: length)
    return (Array(repeating: KeyPress.tab, count: steps) + clearing).map(ScreenEvent.key)
      + (text.isEmpty ? [] : [.paste(text)])
  }
}
