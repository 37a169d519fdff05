import ToDoModel

/// The form in which the user adds or edits an item.
struct FormScreen: Screen {
  /// What the keys mean.
  enum Phase: Equatable, Sendable {
    case editing
    case asking(FormQuestion)
    /// The item is being saved. The form takes no edits.
    case saving(SaveOptions)
  }

  var target: FormTarget
  /// The form before the user changed it.
  var original: EditForm
  var texts: FormTexts
  var focus = FormField.title
  var phase = Phase.editing
  var search = AddressSearch()
  /// Whether the timer that stores the draft is running.
  var isDraftScheduled = false
  /// Whether the texts come from a draft and no key was pressed since.
  var isRestored = false
  /// The revision of the item that the user began to edit, for the draft. `nil` for a new item, or if it is unknown.
  private var startRevision: Revision?
  /// The reading of a new item's title, from the time when it was typed.
  var reading: FormReading?
  /// The map of the last drawing, because a map takes longer to draw than everything else.
  var map: FormMap?

  /// Creates a form that adds an item.
  init() {
    self.init(.newItem, EditForm())
  }

  /// Creates a form that edits an item.
  init(editing item: ToDoItem, in zone: any TimeZoneRules) {
    self.init(.item(item, ifRevision: item.revision), EditForm(item.content, in: zone))
    startRevision = item.revision
  }

  /// Creates a form with the texts of a draft.
  ///
  /// Saving requires that the item still has the revision of the draft, or the current one if the draft has none.
  ///
  /// - Parameter original: the current item that the draft belongs to, or `nil` if the draft adds an item or the item was
  ///   deleted. In the latter case, saving adds an item.
  init(draft: FormDraft, original: ToDoItem?, in zone: any TimeZoneRules) {
    if let original, draft.item == original.id {
      self.init(editing: original, in: zone)
      if let revision = draft.revision { target = .item(original, ifRevision: revision) }
    } else {
      var form = EditForm()
      form[.coordinate] = draft.form[.coordinate]
      self.init(draft.item.map { .deletedItem($0, nil) } ?? .newItem, form)
    }
    texts = FormTexts(draft.form)
    startRevision = draft.revision ?? startRevision
    isRestored = true
  }

  private init(_ target: FormTarget, _ original: EditForm) {
    (self.target, self.original) = (target, original)
    texts = FormTexts(original)
  }

  /// Whether a text differs from the start.
  var isChanged: Bool { texts.form(replacing: original) != original }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    let actions = respond(to: event, content, environment)
    updateReading(environment)
    updateMap(environment)
    return actions
  }

  private mutating func respond(
    to event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch event {
    case .key(let key): return respond(to: key, content, environment)
    case .paste(let text):
      isRestored = false
      guard phase == .editing else { return [] }
      return typed(texts.change(focus) { $0.insert(text) })
    case .pointer(let event):
      if phase == .editing, event.kind == .click { click(event.position, environment) }
    case .changed(let change): follow(change, content)
    case .result(.saved(let result)): return saved(result, content)
    case .result(.geocoded(let query, let result)): search.receive(query, result)
    case .timer(.addressTyped):
      return search.pauseEnded(address, environment.connection).map(ScreenAction.perform)
    case .timer(.draft): return storeDraft()
    case .result, .timer, .resized, .minutePassed, .resumed: break
    }
    return []
  }

  /// Updates the target if a change deleted or restored the edited item.
  private mutating func follow(_ change: ContentChange, _ content: ListContent) {
    guard content.isLoaded, let id = target.id,
      change.elements.contains(where: { ($0.new ?? $0.old)?.item.id == id })
    else { return }
    follow(content[id])
  }

  /// Updates the target to the current state of the edited item, which is `nil` if the item was deleted.
  mutating func follow(_ current: ToDoItem?) {
    switch target {
    case .item(let item, _) where current == nil: target = .deletedItem(item.id, item)
    case .deletedItem(_, let item?):
      if let current { target = .item(item, ifRevision: current.revision) }
    case .newItem, .item, .deletedItem: break
    }
  }

  private mutating func storeDraft() -> [ScreenAction] {
    guard isDraftScheduled else { return [] }
    isDraftScheduled = false
    let form = texts.form(replacing: original)
    let draft = FormDraft(item: target.id, revision: startRevision, form: form)
    return [.perform(.storeDraft(form == original ? nil : draft))]
  }

  /// Ends the form.
  mutating func end(_ outcome: ScreenOutcome) -> [ScreenAction] {
    var effects = search.stop()
    if isDraftScheduled { effects.append(.cancelTimer(.draft)) }
    isDraftScheduled = false
    effects.append(.storeDraft(nil))
    return effects.map(ScreenAction.perform) + [.outcome(outcome)]
  }
}
