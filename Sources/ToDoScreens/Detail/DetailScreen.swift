import ToDoModel
import ToDoText

/// The screen of one item: every field, the map of its place, and its history.
struct DetailScreen: Screen {
  /// The item.
  let id: ItemID
  private(set) var scroll = LineScroll()
  private(set) var history = HistoryReading()
  private(set) var steps = StepEditing()
  /// Whether the user has left the screen, which closes as soon as the steps are saved.
  private var closesWhenSaved = false
  /// The map for the coordinate and the width of the last event.
  private var map: DetailMap?
  /// The lines for the width of the last event, or `nil` if they have changed since. Long notes make them expensive.
  private var page: Page?

  /// The lines of the screen for a width.
  private struct Page: Equatable, Sendable {
    let columns: Int
    let lines: [StyledText]
    /// The line range of each step.
    let steps: [Range<Int>]
  }

  init(_ item: ItemID) {
    id = item
  }

  /// Requests the history. The coordinator calls this method when it has opened the screen.
  mutating func opened() -> [ScreenAction] { history.start(id) }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    if case .changed(let change) = event { return itemsChanged(change, content, environment) }
    if case .minutePassed = event { page = nil }
    var actions: [ScreenAction] = []
    switch event {
    case .key(let key):
      if let item = content[id], let actions = handleStep(key, item, environment) { return actions }
      actions = afterSaving(handle(key, content[id], environment))
    case .result(let result): actions = handle(result)
    case .resumed: actions = history.resume(id)
    default: break
    }
    guard let item = content[id] else { return actions }
    prepare(item, environment)
    let count = lines(of: item, environment).count
    _ = scroll.handle(event, lineCount: count, height: environment.bodyRows)
    scroll.clamp(lineCount: count, height: environment.bodyRows)
    return actions
  }

  /// Follows changes of the item. The next drawing creates the lines, so that many changes cost as much as one.
  private mutating func itemsChanged(
    _ change: ContentChange, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    guard change.elements.contains(where: { ($0.new ?? $0.old)?.item.id == id }) else { return [] }
    page = nil
    guard let item = content[id] else { return [] }
    steps.itemChanged(item)
    prepareMap(item, environment)
    return history.itemChanged(id)
  }

  private mutating func handle(_ result: EffectResult) -> [ScreenAction] {
    switch result {
    case .historyRead(id, let result):
      page = nil
      return history.end(id, with: result)
    case .stepsSet(id, let result):
      page = nil
      let actions = steps.receive(result)
      return closesWhenSaved && !steps.isUnsaved ? actions + [.outcome(.closed)] : actions
    case .notOpened(let url): return [.message(url)]
    default: return []
    }
  }
}

// MARK: - Lines

extension DetailScreen {
  /// Returns all lines, without those that the window hides.
  func lines(of item: ToDoItem, _ environment: ScreenEnvironment) -> [StyledText] {
    if let page, page.columns == environment.columns { return page.lines }
    return makePage(item, environment).lines
  }

  private func makePage(_ item: ToDoItem, _ environment: ScreenEnvironment) -> Page {
    let details = ItemDetails(
      item: steps.current(item), now: environment.now, today: environment.today, zone: environment.zone,
      repetitionZone: item.repetition.flatMap { environment.rules($0.timeZone) },
      town: item.location?.givenCoordinate.flatMap(environment.labels.nearestTown),
      map: currentMap(of: item, environment)?.view, columns: environment.columns, selectedStep: steps.selected
    ).layout
    let lines = details.lines + ["", StyledText("History", .heading)] + historyLines(environment)
    return Page(columns: environment.columns, lines: lines, steps: details.steps)
  }

  private func historyLines(_ environment: ScreenEnvironment) -> [StyledText] {
    switch history.result {
    case nil: historyNotice("Reading the history", environment)
    case .failure(let failure): historyNotice("The history could not be read: \(failure.message)", environment)
    case .success([]): historyNotice("The history no longer contains the changes of the item.", environment)
    case .success(let records): layoutLines(records, environment)
    }
  }

  private func historyNotice(_ text: String, _ environment: ScreenEnvironment) -> [StyledText] {
    [StyledText(text.truncated(toWidth: environment.columns), .faint)]
  }

  /// Returns the history as `todo log` prints it.
  private func layoutLines(_ records: [RevisionRecord], _ environment: ScreenEnvironment) -> [StyledText] {
    let columns = environment.columns
    let layout = HistoryLayout(records: records, today: environment.today, zone: environment.zone, columns: columns)
    guard columns < Self.minimumHistoryWidth else { return layout.lines }
    // The revision and the time can fill a narrow window.
    return layout.lines.map { StyledText($0.text.truncated(toWidth: columns)) }
  }

  /// The width that a revision, its time and the beginning of a change need.
  private static let minimumHistoryWidth = 44

  private mutating func prepare(_ item: ToDoItem, _ environment: ScreenEnvironment) {
    prepareMap(item, environment)
    if page?.columns == environment.columns { return }
    page = makePage(item, environment)
  }

  private mutating func prepareMap(_ item: ToDoItem, _ environment: ScreenEnvironment) {
    map = currentMap(of: item, environment)
  }

  /// Returns the stored map if it is current, another map if it is not, or `nil` if the item has no coordinate.
  private func currentMap(of item: ToDoItem, _ environment: ScreenEnvironment) -> DetailMap? {
    guard let coordinate = item.location?.coordinate, let size = MapSize(terminalColumns: environment.columns) else {
      return nil
    }
    if let map, map.coordinate == coordinate, map.size == size { return map }
    return DetailMap(of: coordinate, size: size, environment)
  }
}

// MARK: - Steps

extension DetailScreen {
  /// Handles a key that selects a step, or concerns the selected one.
  ///
  /// - Returns: `nil` for another key.
  private mutating func handleStep(
    _ key: KeyPress, _ item: ToDoItem, _ environment: ScreenEnvironment
  ) -> [ScreenAction]? {
    guard !item.steps.isEmpty || steps.selected != nil else { return nil }
    var actions: [ScreenAction] = []
    switch (key, steps.selected) {
    case (.character("j"), let index): steps.select(index.map { $0 + 1 } ?? 0, of: item)
    case (.character("k"), let index): steps.select(index.map { $0 - 1 } ?? item.steps.count - 1, of: item)
    case (.character(let digit), _) where digit.isASCII && digit.isNumber && digit != "0":
      let number = digit.wholeNumberValue ?? 0
      if number <= steps.current(item).steps.count {
        steps.select(number - 1, of: item)
      } else {
        steps.deselect()
        actions = [.message("no step \(number)")]
      }
    case (.escape, .some): steps.deselect()
    case (.character("d"), .some):
      actions = [.message("d deletes the whole item; press Esc first, or e to edit its steps")]
    case (.character(" "), .some):
      actions = changing([], environment)
      if actions.isEmpty { actions = steps.toggle(item) }
    default: return nil
    }
    page = nil
    prepare(item, environment)
    if let selected = steps.selected, let page, page.steps.indices.contains(selected) {
      scroll.show(page.steps[selected], height: environment.bodyRows)
      scroll.clamp(lineCount: page.lines.count, height: environment.bodyRows)
    }
    return actions
  }
}

// MARK: - Keys

extension DetailScreen {
  /// Closes the screen only after the steps are saved, which would be lost otherwise.
  private mutating func afterSaving(_ actions: [ScreenAction]) -> [ScreenAction] {
    guard steps.isUnsaved, actions.contains(.outcome(.closed)) else { return actions }
    guard actions == [.outcome(.closed)] else { return [.message("the steps are still being saved")] }
    closesWhenSaved = true
    return []
  }

  /// Handles a key other than those that scroll.
  ///
  /// - Parameter item: the item, or `nil` if it was deleted.
  func handle(_ key: KeyPress, _ item: ToDoItem?, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch key {
    case .escape, .left, .backspace, .character("q"): return [.outcome(.closed)]
    case .character("?"): return [.outcome(.wantsHelp)]
    case .character("u"): return changing([.outcome(.wantsUndo)], environment)
    default: break
    }
    guard let item else { return [] }
    switch key {
    case .character(" "): return check(item, environment)
    case .character("e"): return changing([.outcome(.wantsToEdit(id))], environment)
    case .character("d"): return changing([.perform(.delete(id)), .outcome(.closed)], environment)
    case .character("M"): return changing([.outcome(.wantsToMove(id))], environment)
    case .character("S"): return changing([environment.skip(item)], environment)
    case .character("o"): return locating(item) { [.perform(.open(url: $0.openStreetMapURL))] }
    case .character("y"): return locating(item) { [.perform(.copy($0.geoURI)), .message("copied \($0.geoURI)")] }
    case .character("m"): return locating(item) { _ in [.outcome(.wantsMap(of: [id], center: id))] }
    case .character("n"): return locating(item) { _ in [.outcome(.wantsNearby(id))] }
    default: return []
    }
  }

  private func check(_ item: ToDoItem, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard !item.isDone else {
      return changing([.message("the item is done; press u to undo, or uncheck it in the list")], environment)
    }
    return changing([.perform(.check(item)), .outcome(.closed)], environment)
  }

  /// Returns the actions of a key that changes the list, or a message if no change is possible.
  private func changing(_ actions: [ScreenAction], _ environment: ScreenEnvironment) -> [ScreenAction] {
    if let refusal = environment.refusal { return [.message(refusal)] }
    guard environment.connection.isUsable else {
      return [.message("not connected; nothing was changed")]
    }
    return actions
  }

  /// Returns the actions of a key that uses the coordinate, or a message if the item has none.
  private func locating(_ item: ToDoItem, _ actions: (Coordinate) -> [ScreenAction]) -> [ScreenAction] {
    item.location?.coordinate.map(actions) ?? [.message("the item has no coordinate; edit it to set an address")]
  }
}

// MARK: - Drawing

extension DetailScreen {
  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    guard let item = content[id] else {
      let notice = content.isLoaded ? "The item was deleted." : "Waiting for the list"
      let undo = canChange(environment) && content.isLoaded ? [KeyHint("u", "undo")] : []
      return ScreenDrawing(
        lines: Array([StyledText(notice.truncated(toWidth: environment.columns))].prefix(environment.bodyRows)),
        hints: [KeyHint("Esc", "back")] + undo)
    }
    let (lines, height) = (lines(of: item, environment), environment.bodyRows)
    return ScreenDrawing(
      lines: scroll.visibleLines(of: lines, height: height), hints: hints(item, environment),
      status: scroll.status(lineCount: lines.count, height: height))
  }

  private func hints(_ item: ToDoItem, _ environment: ScreenEnvironment) -> [KeyHint] {
    let canChange = canChange(environment)
    let current = steps.current(item).steps
    if let selected = steps.selected, current.indices.contains(selected) {
      let check = canChange ? [KeyHint("Space", current[selected].isDone ? "uncheck step" : "check step")] : []
      return check + [KeyHint("j k", "other step"), KeyHint("Esc", "item"), KeyHint("?", "keys")]
    }
    let steps = current.isEmpty ? [] : [KeyHint("j k", "steps")]
    let check = canChange && !item.isDone ? [KeyHint("Space", "check")] : []
    let change = canChange ? [KeyHint("e", "edit"), KeyHint("d", "delete")] : []
    let undo = canChange ? [KeyHint("u", "undo")] : []
    let place =
      item.location?.coordinate == nil
      ? [] : [KeyHint("m", "map"), KeyHint("n", "near"), KeyHint("o", "web map"), KeyHint("y", "copy geo:")]
    return check + steps + change + [KeyHint("Esc", "back"), KeyHint("?", "keys")] + undo + place
  }

  private func canChange(_ environment: ScreenEnvironment) -> Bool {
    environment.refusal == nil && environment.connection.isUsable
  }
}
