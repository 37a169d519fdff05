import ToDoModel
import ToDoText

/// The form in which the user adds or edits an item.
struct FormScreen: Screen {
  /// The phase of editing, which determines the meaning of keys.
  enum Phase: Equatable, Sendable {
    case editing
    case asking(FormQuestion)
    /// The place of the title or the address is being looked up before the item is saved.
    case locating(SaveOptions)
    /// The item is being saved. The form takes no edits.
    case saving(SaveOptions)
  }

  private(set) var target: FormTarget
  /// The form before the user changed it.
  private(set) var original: EditForm
  private(set) var texts: FormTexts
  var focus = FormField.title
  private(set) var phase = Phase.editing
  /// Whether only the title is shown, as a line below the list.
  private(set) var isLine = false
  private(set) var search = AddressSearch()
  /// The place that was chosen in an earlier run.
  private var recalledPlace: ChosenPlace?
  /// The address to which `recalledPlace` belongs.
  private var recalledAddress = ""
  /// Whether `answeredChange` is of the following occurrences, too.
  private var changesFollowing = false
  /// The change about which the user was asked.
  private var answeredChange: OccurrenceChange?
  /// Whether the timer that stores the draft is running.
  private var isDraftScheduled = false
  /// Whether the texts come from a draft and no key was pressed since.
  private var isRestored = false
  /// The revision of the item that the user began to edit, for the draft. `nil` for a new item, or if it is unknown.
  private var startRevision: Revision?
  /// The reading of a new item's title.
  private var newTitle = NewItemTitle()
  /// The map of the last drawing, because a map takes longer to draw than everything else.
  private(set) var map: FormMap?

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
    actions += newTitle.lookUp(texts, content, environment).map(ScreenAction.perform)
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
    case .result(.saved(let result)): return saved(result, content) { .saved($0) }
    case .result(.addedElsewhere(_, let result)): return saved(result, content) { _ in .closed }
    case .result(.listsRead(let result)): return take(result, content, environment)
    case .result(.geocoded(let query, let result, let isGuess)):
      search.receive(query, result, isGuess: isGuess)
      if case .locating(let options) = phase { return save(options, environment) }
    case .result(.located(let text, let matches)): return located(text, matches, environment)
    case .timer(.placeTyped) where environment.connection.isUsable:
      return newTitle.locate().map(ScreenAction.perform)
    case .timer(.addressTyped):
      return search.pauseEnded(address, environment.connection).map(ScreenAction.perform)
    case .timer(.draft): return storeDraft()
    case .result, .timer, .resized, .minutePassed, .resumed, .watch, .draftFound, .listDeleted, .connection: break
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

// MARK: - The reading of the title

extension FormScreen {
  private var reading: TitleReading? { newTitle.reading }

  /// The place of a new item's title.
  var place: TitlePlace? { newTitle.place }

  /// The texts of a new item; `nil` if the form edits an item.
  private var newTexts: FormTexts? { if case .newItem = target { texts } else { nil } }

  private mutating func updateReading(_ environment: ScreenEnvironment) { newTitle.read(newTexts, environment) }

  /// Returns the reading of a new item's title, or `nil` if the form edits an item or the title is empty.
  func currentReading(_ environment: ScreenEnvironment) -> TitleReading? {
    newTexts.flatMap { newTitle.reading(of: $0, environment) }
  }

  /// Takes the lists that the title can name, and saves the item if that was to follow.
  private mutating func take(
    _ result: Result<ListSet, EffectFailure>, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    let wereAwaited = newTitle.areListsBeingRead
    let failure = newTitle.receive(result)
    updateReading(environment)
    let effects = newTitle.lookUp(texts, content, environment).map(ScreenAction.perform)
    guard wereAwaited, case .locating(let options) = phase else {
      return effects + [failure.map(ScreenAction.failure)].compactMap(\.self)
    }
    phase = .editing
    return effects + (failure.map { [.failure($0)] } ?? save(options, environment))
  }

  /// Receives the places that the title's place can mean, and saves the item if that was to follow.
  mutating func located(
    _ text: String, _ matches: [AddressMatch], _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    newTitle.receive(text, matches)
    guard case .locating(let options) = phase, text == place?.text else { return [] }
    phase = .editing
    return save(options, environment)
  }
}

// MARK: - The line

extension FormScreen {
  /// Handles a key while only the title is shown.
  private mutating func editLine(
    _ key: KeyPress, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch key {
    case .enter, .control("s"): return save(SaveOptions(), environment)
    case .escape: return isChanged ? end(.postponed(draft)) : end(.closed)
    case .tab: return expand(environment)
    default: return typed(texts.change(.title) { $0.handle(key) })
    }
  }

  /// Shows all fields, with the values that were read.
  private mutating func expand(_ environment: ScreenEnvironment) -> [ScreenAction] {
    isLine = false
    if !texts[.title].isBlank { moveFocus(to: .due) }
    return takeReading(environment)
  }

  /// Moves the facts in the title to the other fields.
  private mutating func takeReading(_ environment: ScreenEnvironment) -> [ScreenAction] {
    guard let reading = currentReading(environment) else { return [] }
    var form = reading.completing(texts.form(replacing: original))
    if let due = reading.due { form[.due] = due.absoluteText(in: environment.zone) }
    if let repetition = reading.repetition, form[.repetition].isEmpty {
      form[.repetition] = repetition.rule.words(in: environment.zone)
    }
    form[.title] = reading.titleWithList
    original[.coordinate] = form[.coordinate]
    if let location = place?.location {
      (form[.place], form[.address]) = (location.name ?? "", location.address ?? "")
      recalledPlace = location.coordinate.map {
        ChosenPlace(coordinate: $0, provenance: location.provenance, name: "")
      }
      recalledAddress = form[.address]
    } else if let place, !place.choices.isEmpty {
      // The form offers the places.
      (form[.place], form[.address]) = ("", place.text)
    }
    texts = FormTexts(form)
    let isSearched = !address.isEmpty && recalledPlace == nil
    return (isSearched ? search.restart(isNeeded: true).map(ScreenAction.perform) : []) + scheduleDraft()
  }
}

// MARK: - Keys

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
      return newTitle.chooseReading(index) ? save(options, environment) : []
    case .choosesPlace(let options):
      return newTitle.choosePlace(index) ? save(options, environment) : []
    case .choosesOccurrences(let options, let change):
      guard (0...1).contains(index) else { return [] }
      (answeredChange, changesFollowing) = (change, index == 1)
      return save(options, environment)
    default: return []
    }
  }

  private mutating func agree(
    to question: FormQuestion, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch question {
    case .discardsChanges: return end(.closed)
    case .savesWithoutCoordinate(let options, _), .savesDuplicate(let options), .choosesReading(let options),
      .choosesPlace(let options), .choosesOccurrences(let options, _):
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
    if focus == .due, let step = DueStep(key) { return take(step, environment) }
    switch key.simplified {
    case .control("s"): return save(SaveOptions(), environment)
    case .escape:
      guard isChanged else { return end(.closed) }
      phase = .asking(.discardsChanges)
    case .tab: moveFocus(to: focus.next ?? .title)
    case .backTab: moveFocus(to: focus.previous ?? .note)
    case .up: moveUp(environment)
    case .down: moveDown(environment)
    case .enter where !focus.isMultiline: return enter(environment)
    case .enter where focus == .steps && texts[.steps].isAtEmptyEnd: moveFocus(to: .place)
    default: return typed(texts.change(focus) { $0.handle(key) })
    }
    return []
  }

  /// Changes the due date as it is understood. A step from no date enters today.
  private mutating func take(_ step: DueStep, _ environment: ScreenEnvironment) -> [ScreenAction] {
    var actions: [ScreenAction] = []
    if texts[.due].isBlank, reading?.due != nil { actions = takeReading(environment) }
    let text = texts[.due].text.oneLine
    var due: DueDate?
    switch step {
    case .clear: break
    case .days where text.isEmpty: due = .date(environment.today)
    case .days(let days):
      // The row below the field says what is wrong.
      guard let old = try? environment.dates.parse(text) else { return actions }
      due = old.adding(days: days, in: environment.zone) ?? old
    }
    let new = due?.absoluteText(in: environment.zone) ?? ""
    return actions + typed(texts.change(.due) { $0.replaceAll(with: new) })
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

  private mutating func moveFocus(to field: FormField) {
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

  /// Returns the actions that follow an edit of the text in focus.
  mutating func typed(_ response: TextField.Response) -> [ScreenAction] {
    switch response {
    case .ignored, .handled: return []
    case .refused: return [.message("the \(focus.label) is limited to \(focus.limit) bytes; shorten it")]
    case .changed:
      let effects = focus == .address ? search.restart(isNeeded: isAddressLookedUp) : []
      return effects.map(ScreenAction.perform) + scheduleDraft()
    }
  }

  private mutating func scheduleDraft() -> [ScreenAction] {
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

// MARK: - Saving

extension FormScreen {
  /// Saves the item, unless a field must be corrected first.
  mutating func save(_ options: SaveOptions, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !texts[.title].isBlank else { return reject("the title is empty; type a title", .title) }
    guard environment.connection.isUsable else {
      return [.message("the server is unreachable; the form keeps the text until it is back")]
    }
    updateReading(environment)
    do {
      if let problem = try reminders(environment).problem { return reject("the reminder \(problem)", .remind) }
    } catch {
      return reject((error as? InvalidText)?.description ?? "\(error)", .remind)
    }
    if let actions = decide(options, environment) { return actions }
    do {
      var edit = try edit(environment)
      let split = occurrenceSplit(edit, environment)
      let move = occurrenceMove(edit, environment)
      if let change = OccurrenceChange(edit, move, splits: split != nil) {
        guard change == answeredChange else {
          phase = .asking(.choosesOccurrences(options, change))
          return []
        }
        if !changesFollowing, let split { return saving(split, options) }
        if changesFollowing, let move { edit.repetition = .set(move.following) }
      }
      return saving(edit, options)
    } catch let error as DueDateError {
      let isWait = error.text == texts[.wait].text.oneLine && error.text != texts[.due].text.oneLine
      return reject(error.shortText, isWait ? .wait : .due)
    } catch {
      return [.message("\(error)")]
    }
  }

  /// Returns a notice about the effect of a saved due date on the other occurrences, if the user wasn't asked.
  private func moveNotice(_ saved: ToDoItem) -> ScreenAction? {
    guard let item = target.item, saved.due != item.due, saved.due != answeredChange?.move?.due,
      let repetition = saved.repetition, case .calendar = repetition.rule, repetition.rule == item.repetition?.rule
    else { return nil }
    return .message(
      repetition.occurrence == nil
        ? "moved to another occurrence; the following ones stay"
        : "moved only this occurrence; the rule can't follow to that date")
  }

  /// Returns the edit of only this occurrence; `nil` if an edit changes no more than the due date.
  private func occurrenceSplit(_ edit: ItemEdit, _ environment: ScreenEnvironment) -> OccurrenceSplit? {
    guard let item = target.item, let repetition = item.repetition else { return nil }
    let zone = environment.rules(repetition.timeZone) ?? environment.zone
    return OccurrenceSplit(edit, of: item, now: environment.now, in: zone)
  }

  /// Returns the move of the item's occurrence that an edit makes.
  private func occurrenceMove(_ edit: ItemEdit, _ environment: ScreenEnvironment) -> OccurrenceMove? {
    guard let item = target.item, let repetition = item.repetition else { return nil }
    return OccurrenceMove(edit, of: item, in: environment.rules(repetition.timeZone) ?? environment.zone)
  }

  /// Has the user decide what the title and the address mean, if that is uncertain.
  ///
  /// - Returns: `nil` if nothing remains to decide.
  private mutating func decide(_ options: SaveOptions, _ environment: ScreenEnvironment) -> [ScreenAction]? {
    switch newTitle.openQuestion(texts) {
    case .awaits(let effects)?:
      phase = .locating(options)
      return effects.map(ScreenAction.perform)
    case .reading?: phase = .asking(.choosesReading(options))
    case .place?: phase = .asking(.choosesPlace(options))
    case nil: return decideAddress(options, environment)
    }
    return []
  }

  /// Has the user decide what the address means, as `decide(_:_:)` does.
  private mutating func decideAddress(
    _ options: SaveOptions, _ environment: ScreenEnvironment
  ) -> [ScreenAction]? {
    if isAddressLookedUp, search.isPending {
      phase = .locating(options)
      return search.pauseEnded(address, environment.connection).map(ScreenAction.perform)
    } else if isAddressLookedUp, search.guess != nil {
      phase = .asking(.acceptsGuess(options))
    } else {
      return nil
    }
    return []
  }

  private mutating func reject(_ message: String, _ field: FormField) -> [ScreenAction] {
    moveFocus(to: field)
    return [.message(message)]
  }

  private mutating func saving(_ edit: ItemEdit, _ options: SaveOptions) -> [ScreenAction] {
    guard case .item(let item, let revision) = target else {
      return adding(ItemContent(title: "").applying(edit), options)
    }
    guard !edit.isEmpty else { return [.message("nothing has changed")] + end(.closed) }
    phase = .saving(options)
    return [.perform(.update(item.id, edit, ifRevision: revision, options))]
  }

  private mutating func saving(_ split: OccurrenceSplit, _ options: SaveOptions) -> [ScreenAction] {
    guard case .item(let item, let revision) = target else { return [] }
    phase = .saving(options)
    return [.perform(.split(item.id, split, ifRevision: revision, options))]
  }

  private mutating func adding(_ content: ItemContent, _ options: SaveOptions) -> [ScreenAction] {
    guard let named = newTitle.namedLists else {
      phase = .saving(options)
      return [.perform(.add(content, options))]
    }
    guard named.count == 1 else {
      let name = (reading?.list ?? "").escapingControls()
      return reject("'\(name)' is the name of \(named.count) lists; add the item in its list", .title)
    }
    phase = .saving(options)
    return [.perform(.addElsewhere(content, options, to: named[0]))]
  }

  /// Returns the item's edit, or that of an empty one if saving adds an item.
  ///
  /// - Throws: `DueDateError`; `InvalidText`.
  private func edit(_ environment: ScreenEnvironment) throws -> ItemEdit {
    let reading = currentReading(environment)
    let typed = texts.formToSave(replacing: original)
    let form = reading?.completing(typed) ?? typed
    var edit = try form.edit(
      from: target.item == nil ? EditForm() : original, environment.dates, zoneName: environment.zoneName,
      locale: environment.locale)
    // The form counts from its field's due date, which can be in the title instead.
    if edit.reminders != nil {
      edit.reminders = try reminders(environment).reminders(keepingStatesOf: target.item, environment)
    }
    // The date of a repetition in the title does not belong to that of the field.
    let isReplaced = reading?.repetition != nil && !typed[.repetition].isEmpty
    if !isReplaced {
      if let due = reading?.due { edit.due = .set(due) }
      if let repetition = reading?.repetition { edit.repetition = .set(repetition) }
    }
    if let location = place?.location {
      edit.location = .set(location)
      return edit
    }
    guard reading?.coordinate == nil, let place = chosenPlace else { return edit }
    return edit.setting(place.coordinate, place.provenance)
  }

  /// Handles the result of saving.
  ///
  /// - Parameter outcome: returns the outcome of the form for the saved item.
  mutating func saved(
    _ result: Result<ToDoItem, EffectFailure>, _ content: ListContent, _ outcome: (ToDoItem) -> ScreenOutcome
  ) -> [ScreenAction] {
    guard case .saving(var options) = phase else { return [] }
    phase = .editing
    switch result {
    case .success(let item): return end(outcome(item)) + [moveNotice(item)].compactMap(\.self)
    case .failure(let failure):
      switch failure.kind {
      case .addressNotFound where !options.savesWithoutCoordinate:
        options.savesWithoutCoordinate = true
        phase = .asking(.savesWithoutCoordinate(options))
      case .lookupFailed where !options.savesWithoutCoordinate:
        options.savesWithoutCoordinate = true
        phase = .asking(.savesWithoutCoordinate(options, lookupFailure: failure.message))
      case .duplicate where !options.allowsDuplicate:
        options.allowsDuplicate = true
        phase = .asking(.savesDuplicate(options))
      case .changedElsewhere:
        guard let item = target.item else { return target.isDeleted ? [] : [.failure(failure.message)] }
        if content.isLoaded { follow(content[item.id]) }
        if !target.isDeleted { phase = .asking(.overwrites(options)) }
      case .addressNotFound, .lookupFailed, .duplicate, .unreachable, .unsupported, .other:
        return [.failure(failure.message)]
      }
      return []
    }
  }
}

// MARK: - Drawing

extension FormScreen {
  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    var drawing = ScreenDrawing(hints: hints, status: status(environment))
    if case .asking = phase { drawing.isAsking = true }
    if isLine { return lineDrawing(drawing, environment) }
    guard environment.columns >= Self.minimumColumns, environment.bodyRows > 0 else { return drawing }
    let layout = FormLayout(self, environment)
    drawing.lines = layout.lines
    if phase == .editing { drawing.cursor = layout.visibleCursor }
    return drawing
  }

  /// The width below which the form draws nothing but the status.
  private static let minimumColumns = 24

  private var hints: [KeyHint] {
    switch phase {
    // A question contains its keys.
    case .saving, .locating, .asking: return []
    case .editing where isLine:
      let add = texts[.title].isBlank ? [] : [KeyHint("Enter", "add")]
      return add + [KeyHint("Tab", "all fields"), KeyHint("Esc", "close")]
    case .editing:
      // Saving is impossible without a title.
      let savesOnEnter = focus.isLastLine && search.highlighted == nil
      var hints = texts[.title].isBlank ? [] : [KeyHint(savesOnEnter ? "Enter" : "Ctrl-S", "save")]
      hints.append(KeyHint("Esc", "cancel"))
      if focus == .address, !search.candidates.isEmpty {
        hints.insert(search.highlighted == nil ? KeyHint("↓", "choose") : KeyHint("Enter", "take"), at: 0)
      }
      let step = focus == .due ? [KeyHint("Ctrl-↑ ↓", "day")] : []
      return hints + [KeyHint("Tab", "next field")] + step
    }
  }

  private func status(_ environment: ScreenEnvironment) -> String {
    switch phase {
    case .saving: return "saving…"
    case .locating where newTitle.areListsBeingRead: return "reading the lists…"
    case .locating: return "looking up '\(Self.shown(place?.text ?? address, environment))'…"
    case .asking(let question): return text(of: question, environment)
    case .editing:
      if target.isDeleted { return "the item was deleted elsewhere; Ctrl-S adds it as a new item" }
      return isRestored ? "restored from a draft" : ""
    }
  }

  private func text(of question: FormQuestion, _ environment: ScreenEnvironment) -> String {
    switch question {
    case .discardsChanges: return "Discard the changes? y/n"
    case .savesDuplicate:
      return "The list contains this item already. \(target.item == nil ? "Add it again" : "Save it")? y/n"
    case .choosesReading: return newTitle.readingQuestion(environment)
    case .choosesPlace: return newTitle.placeQuestion
    case .choosesOccurrences(_, let change): return change.question
    case .acceptsGuess:
      let name = search.guess?.displayName.escapingControls() ?? ""
      return "'\(Self.shown(address, environment))' is not the name of a place on the map. Save it as \(name)? y/n"
    case .overwrites: return "The item has changed elsewhere. s saves over it, Esc continues editing"
    case .savesWithoutCoordinate(_, nil):
      return "No coordinate found for '\(Self.shown(address, environment))'. Save without one? y/n"
    case .savesWithoutCoordinate(_, let reason?): return Self.textOfLookupFailure(reason, environment)
    }
  }

  /// The question after a failed lookup. A server repeats the lookup, and a list in this process does not.
  private static func textOfLookupFailure(_ reason: String, _ environment: ScreenEnvironment) -> String {
    let sentence = reason.prefix(1).uppercased() + reason.dropFirst()
    return environment.connection == .local
      ? "\(sentence). Save without a coordinate? Nothing looks it up later. y/n"
      : "\(sentence). Save, and look the address up later? y/n"
  }

  /// Returns an address that gives way to the text around it.
  private static func shown(_ address: String, _ environment: ScreenEnvironment) -> String {
    address.escapingControls().truncated(toWidth: max(8, environment.columns))
  }
}

// MARK: - The line

extension FormScreen {
  private static let linePrompt = "add: "
  private static let lineExample = "such as: Dinner tomorrow 19:00 @Rossi"

  /// Draws the title in one line, and its reading below.
  private func lineDrawing(_ drawing: ScreenDrawing, _ environment: ScreenEnvironment) -> ScreenDrawing {
    var drawing = drawing
    drawing.isPanel = true
    let prompt = Self.linePrompt
    let visible = texts[.title].visibleText(width: max(4, environment.columns - prompt.count))
    drawing.lines = [StyledText(prompt, .heading) + StyledText(visible.text)]
    drawing.lines += lineDetails(environment, width: max(1, environment.columns - Self.lineIndent))
    drawing.lines = Array(drawing.lines.prefix(environment.bodyRows))
    let column = min(prompt.count + visible.cursor, max(0, environment.columns - 1))
    if phase == .editing, !drawing.lines.isEmpty { drawing.cursor = ScreenPosition(row: 0, column: column) }
    return drawing
  }

  private static let lineIndent = 2

  /// Returns the reading and its notice, or an example. There is at least one line, so that the first keys move nothing.
  private func lineDetails(_ environment: ScreenEnvironment, width: Int) -> [StyledText] {
    let indent = StyledText(String(repeating: " ", count: Self.lineIndent))
    guard let reading = currentReading(environment) else {
      return [indent + StyledText(Self.lineExample.truncated(toWidth: width), .faint)]
    }
    var lines = reading.lines(place, width: width, in: environment.zone).map {
      StyledText($0.truncated(toWidth: width), .faint)
    }
    if let notice = reading.notice, phase == .editing {
      let style = reading.sentence.lacksDate ? TextStyle.overdue : .faint
      lines += notice.wrapped(toWidth: width).map { StyledText($0, style) }
    }
    return lines.isEmpty ? [""] : lines.map { indent + $0 }
  }
}

// MARK: - The map

extension FormScreen {
  /// The place to show on the map: a candidate, or else the item's place unless the address has changed.
  private var mapCoordinate: Coordinate? {
    if let place = search.shownCandidate?.coordinate ?? chosenPlace?.coordinate { return place }
    guard let location = target.item?.location else { return nil }
    return address == original[.address] ? location.coordinate : location.givenCoordinate
  }

  /// Draws the map again if its place or size has changed.
  private mutating func updateMap(_ environment: ScreenEnvironment) { map = currentMap(environment) }

  /// Returns the map to show, or `nil` to show none.
  func currentMap(_ environment: ScreenEnvironment) -> FormMap? {
    guard let coordinate = mapCoordinate, let size = FormMap.size(environment) else { return nil }
    if let map, map.size == size, map.coordinate == coordinate { return map }
    return FormMap(coordinate, size: size, environment)
  }
}
