import ToDoModel
import ToDoText

/// The form in which the user adds or edits an item.
struct FormScreen: Screen {
  /// What the keys mean.
  enum Phase: Equatable, Sendable {
    case editing
    case asking(FormQuestion)
    /// The place of the title or the address is being looked up before the item is saved.
    case locating(SaveOptions)
    /// The item is being saved. The form takes no edits.
    case saving(SaveOptions)
  }

  var target: FormTarget
  /// The form before the user changed it.
  var original: EditForm
  var texts: FormTexts
  var focus = FormField.title
  var phase = Phase.editing
  /// Whether only the title is shown, as a line below the list.
  var isLine = false
  var search = AddressSearch()
  /// The place that was chosen in an earlier run.
  var recalledPlace: ChosenPlace?
  /// The address to which `recalledPlace` belongs.
  var recalledAddress = ""
  /// Whether the timer that stores the draft is running.
  var isDraftScheduled = false
  /// Whether the texts come from a draft and no key was pressed since.
  var isRestored = false
  /// The revision of the item that the user began to edit, for the draft. `nil` for a new item, or if it is unknown.
  private var startRevision: Revision?
  /// The reading of a new item's title, from the time when it was typed.
  var reading: TitleReading?
  /// The place of a new item's title.
  var place: TitlePlace?
  /// The map of the last drawing, because a map takes longer to draw than everything else.
  var map: FormMap?

  /// Creates a form that adds an item.
  init() {
    self.init(.newItem, EditForm())
  }

  /// Creates a line that adds an item.
  init(line: FormDraft?) {
    self.init()
    if let line { texts = FormTexts(line.form) }
    isLine = true
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
    (recalledPlace, recalledAddress) = (draft.place, address)
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
    var actions = respond(to: event, content, environment)
    updateReading(environment)
    actions += updatePlace(content).map(ScreenAction.perform)
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
      if phase == .editing, event.kind == .click, !isLine { return click(event.position, environment) }
    case .changed(let change): follow(change, content)
    case .result(.saved(let result)): return saved(result, content)
    case .result(.geocoded(let query, let result, let isGuess)):
      search.receive(query, result, isGuess: isGuess)
      if case .locating(let options) = phase { return save(options, environment) }
    case .result(.located(let text, let matches)): return located(text, matches, environment)
    case .timer(.placeTyped) where environment.connection.isUsable:
      return place?.locate().map(ScreenAction.perform) ?? []
    case .timer(.addressTyped):
      return search.pauseEnded(address, environment.connection).map(ScreenAction.perform)
    case .timer(.draft): return storeDraft()
    case .result, .timer, .resized, .minutePassed, .resumed, .watch, .draftFound, .connection: break
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

  /// The place that the user has chosen for the address, now or in an earlier run.
  var chosenPlace: ChosenPlace? {
    if let match = search.match(for: address) {
      return ChosenPlace(
        coordinate: match.place.coordinate, provenance: Location.Provenance(of: match.place),
        name: match.place.displayName.oneLine)
    }
    return address == recalledAddress && search.candidates.isEmpty ? recalledPlace : nil
  }

  private mutating func storeDraft() -> [ScreenAction] {
    guard isDraftScheduled else { return [] }
    isDraftScheduled = false
    return [.perform(.storeDraft(isChanged ? draft : nil))]
  }

  /// The texts to keep.
  var draft: FormDraft {
    FormDraft(
      item: target.id, revision: startRevision, form: texts.form(replacing: original), place: chosenPlace,
      isLine: isLine)
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
