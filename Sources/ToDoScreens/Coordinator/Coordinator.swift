import ToDoModel
import ToDoText

/// The stack of screens, the items that they show, and the transitions between the screens.
///
///     list ⇄ detail ⇄ form
///     list ⇄ form
///     list, detail ⇄ map ⇄ detail
///     all ⇄ help
///
/// Only the coordinator refers to more than one kind of screen. It performs nothing itself and returns the effects.
package struct Coordinator: Sendable {
  private(set) var content = ListContent()
  /// The list is below all other screens, and never closed before the program ends.
  private(set) var list: ListScreen
  /// The screens above the list, the top one last.
  private(set) var covering: [any Screen] = []
  private(set) var ownChanges = OwnChanges()
  /// The message that the status line shows until the next key.
  private(set) var message = ""
  /// The line of a new item that the user has closed.
  private var keptLine: FormDraft?
  /// A draft of an earlier run, until its form can be opened.
  private var foundDraft: FormDraft?

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
    switch event {
    case .key, .pointer, .paste: return handleInput(event, environment)
    case .watch(let event): return apply(event, environment)
    case .result(let result): return handle(result, environment)
    case .timer, .resized, .minutePassed, .changed, .resumed: return deliver(event, environment)
    case .connection: return []
    case .draftFound(let draft) where draft.isLine && !environment.takesCommands:
      keptLine = draft
      let text = draft.form[.title as EditForm.Field].oneLine.escapingControls()
      if !environment.isReadOnly { message = "press a to continue “\(text)”" }
      return []
    case .draftFound(let draft):
      foundDraft = draft
      return openDraft(environment)
    }
  }

  /// Passes an input to the top screen.
  private mutating func handleInput(_ event: ScreenEvent, _ environment: ScreenEnvironment) -> [Effect] {
    message = ""
    if event == .key(.control("l")) { return [.redraw] }
    return perform(handleOnTop(event, environment), environment)
  }

  private mutating func apply(_ event: WatchEvent, _ environment: ScreenEnvironment) -> [Effect] {
    let wasLoaded = content.isLoaded
    let change = content.apply(event)
    var effects = change.isEmpty ? [] : deliver(.changed(change), environment)
    if !wasLoaded, content.isLoaded { effects += openDraft(environment) }
    return effects
  }

  private mutating func handle(_ result: EffectResult, _ environment: ScreenEnvironment) -> [Effect] {
    if let text = ownChanges.receive(result) { message = text }
    return deliver(.result(result), environment)
  }

  /// Passes an event to the top screen.
  private mutating func handleOnTop(_ event: ScreenEvent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !covering.isEmpty else { return list.handle(event, content, environment) }
    return covering[covering.count - 1].handle(event, content, environment)
  }

  /// Passes an event to all screens.
  private mutating func deliver(_ event: ScreenEvent, _ environment: ScreenEnvironment) -> [Effect] {
    var actions = list.handle(event, content, environment)
    for index in covering.indices { actions += covering[index].handle(event, content, environment) }
    return perform(actions, environment)
  }

  private mutating func perform(_ actions: [ScreenAction], _ environment: ScreenEnvironment) -> [Effect] {
    var effects: [Effect] = []
    for action in actions {
      switch action {
      case .perform(let effect):
        ownChanges.begin(effect, content)
        effects.append(effect)
        // The form shared the file of drafts with the line.
        if effect == .storeDraft(nil), let keptLine { effects.append(.storeDraft(keptLine)) }
      case .message(let text): message = text
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
    case .wantsHelp: return open(HelpScreen())
    case .wantsNearby(let id):
      covering = []
      return perform(list.showNearest(to: id, content, environment), environment)
    case .wantsUndo: return undo(environment)
    case .closed: return close(environment)
    case .postponed(let draft):
      keptLine = draft
      return [.storeDraft(draft)] + close(environment)
    case .saved(let item):
      list.select(item.id)
      return close(environment)
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

  /// Closes the top screen.
  private mutating func close(_ environment: ScreenEnvironment) -> [Effect] {
    guard !covering.isEmpty else { return [.quit] }
    covering.removeLast()
    return perform(handleOnTop(.resumed, environment), environment)
  }

  /// Opens the form of a draft. The draft of an edit needs the item, which the list contains once it is loaded.
  private mutating func openDraft(_ environment: ScreenEnvironment) -> [Effect] {
    guard let draft = foundDraft, draft.item == nil || content.isLoaded else { return [] }
    foundDraft = nil
    let item = draft.item.flatMap { content[$0] }
    return open(FormScreen(draft: draft, original: item, in: environment.zone))
  }

  private mutating func undo(_ environment: ScreenEnvironment) -> [Effect] {
    guard let revision = ownChanges.startReversal() else {
      message = "nothing was changed here that can be undone; 'todo undo' undoes earlier changes"
      return []
    }
    return [.revert(revision)]
  }
}
