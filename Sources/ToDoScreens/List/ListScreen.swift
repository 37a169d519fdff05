package import ToDoModel
package import ToDoText

/// The list: the sections To do and Done with a selection.
///
/// Its rows follow from the `.changed` events, so that every change must reach the screen, even while another one covers it.
package struct ListScreen: Screen {
  let section: ListSection
  /// The list whose items are shown.
  private(set) var list: UserList
  /// The number of lists to which other users invite the user.
  var invitationCount = 0
  private(set) var filter: ListFilter
  /// The selection of `filter` at the current time, besides its text.
  private var itemFilter = ItemFilter()
  private(set) var sections: ListSections
  private(set) var input = ListInput.none
  /// The question that the next key answers.
  private(set) var question: DeletionQuestion?
  /// The row of the selection as it was last shown, even while nothing is selected.
  private(set) var current: ListedItem?
  /// Whether nothing is selected, because the user typed a number that no item shown has.
  private(set) var isDeselected = false
  /// The item to select as soon as it is shown.
  private var requested: ItemID?
  /// Whether the user has selected an item. The first row is selected until then and until the list is loaded.
  private var hasChosen = false
  /// The index of the first visible entry.
  private(set) var top = 0
  /// The digits of the number that is being typed.
  private(set) var typedNumber: String?
  private(set) var highlights = ListHighlights()
  /// The selected item beside the list.
  private(set) var side = ListSide()
  /// The order to return to from the order by distance.
  private var previousOrder = RowOrder.due()
  /// The instants that divide the items by their due dates, at the last event.
  private var bounds: DueBounds?
  private var hasAppliedFilter = false
  private(set) var waiting = WaitingItems()
  /// The part of a wide window that receives the keys.
  var focus = WindowPane.items

  /// Creates a screen for a list's items that are in a section and pass a filter.
  package init(showing section: ListSection, filter: ListFilter, of list: UserList = .inbox) {
    (self.section, self.filter, self.list) = (section, filter, list)
    sections = ListSections(showing: section)
  }

  /// The selected item.
  var selected: ListedItem? { isDeselected ? nil : current }

  /// The ID of the selected item.
  var selectedItem: ItemID? { requested ?? selected?.item.id }

  /// Takes the name and the color of the list from the current lists.
  mutating func update(_ lists: [UserList]) {
    if let list = lists.first(where: { $0.id == list.id }) { self.list = list }
  }

  /// The number of lines above the items: that of the list's name, unless the window is low. The default list has it only if there
  /// are invitations.
  func headerHeight(_ environment: ScreenEnvironment) -> Int {
    let isPlain = list.id.isDefault && invitationCount == 0
    return isPlain || environment.bodyRows < Self.minimumHeightWithHeader ? 0 : 1
  }

  private static let minimumHeightWithHeader = 4

  /// Selects an item as soon as it is shown, at the earliest with the next event.
  mutating func select(_ id: ItemID) { requested = id }

  /// Orders the items by their distance from an item until the user returns to the usual order.
  mutating func showNearest(
    to id: ItemID, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    guard let center = content[id]?.location?.coordinate else { return [.message(ListMessage.noCoordinate)] }
    let actions = sort(by: .distance(from: center))
    select(id)
    settle(content, environment)
    return actions
  }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    var actions = updateBounds(environment)
    if !hasAppliedFilter { actions += applyFirstFilter(environment) }
    selectRequested(content)
    switch event {
    case .key(let key):
      requested = nil
      actions += handle(key, content, environment)
    case .pointer(let pointer): handle(pointer, environment)
    case .paste(let text): actions += paste(text, environment)
    case .changed(let change):
      actions += apply(change, content, environment)
      if let question { self.question = question.updated(content) }
    case .result(.sorted(let order, let ids)): actions += takeSorted(ids, by: order)
    case .timer(let timer): actions += handle(timer, environment)
    case .minutePassed:
      side.minutePassed()
      actions += refreshFilter(environment)
    case .result, .resized, .resumed, .watch, .draftFound, .listDeleted, .connection: break
    }
    actions += updateWaiting(environment)
    settle(content, environment)
    return actions
  }

  /// Hides the items that wait, or shows them in their own section, and shows those that wait no longer among the others.
  private mutating func updateWaiting(_ environment: ScreenEnvironment) -> [ScreenAction] {
    let filter = waiting.filter
    waiting.update(at: environment.now)
    return updateBounds(environment) + (waiting.filter == filter ? [] : search(.refreshing, environment))
  }

  private mutating func applyFirstFilter(_ environment: ScreenEnvironment) -> [ScreenAction] {
    hasAppliedFilter = true
    guard !filter.isEmpty else { return [] }
    let problem: [ScreenAction] = filter.problem(environment.dates).map { [.message($0)] } ?? []
    return problem + apply(filter, environment)
  }

  /// Divides the items at the current time, and orders them again if the offset of local time or the waiting items have changed.
  private mutating func updateBounds(_ environment: ScreenEnvironment) -> [ScreenAction] {
    let bounds = DueBounds(environment, waitingAfter: waiting.shownAfter)
    self.bounds = bounds
    if case .due = previousOrder { previousOrder = bounds.order }
    switch sections.nextOrder {
    case .due where sections.nextOrder != bounds.order: return sort(by: bounds.order)
    case let order: return order.measured(environment).map { sort(by: $0) } ?? []
    }
  }

  /// Returns the room of the list in the window.
  func window(_ environment: ScreenEnvironment) -> ListWindow {
    ListWindow(
      sections, bounds ?? DueBounds(environment, waitingAfter: nil),
      otherLines: headerHeight(environment) + (input.isOpen ? 1 : 0), environment)
  }

  /// Corrects the selection and the window after an event.
  private mutating func settle(_ content: ListContent, _ environment: ScreenEnvironment) {
    selectRequested(content)
    if current == nil || !(hasChosen || content.isLoaded) { current = sections.row(at: 0) }
    if current == nil { isDeselected = false }
    top = window(environment).top(from: top, showing: currentEntry)
    side.prepare(selected?.item, environment)
  }

  private mutating func selectRequested(_ content: ListContent) {
    guard let requested, let item = content[requested] else { return }
    let row = ListedItem(item)
    guard sections.index(of: row) != nil else { return }
    (current, hasChosen, isDeselected, self.requested) = (row, true, false, nil)
  }
}

extension RowOrder {
  /// Returns the order by urgency, or its reverse, on a day other than that of the order; `nil` otherwise.
  fileprivate func measured(_ environment: ScreenEnvironment) -> RowOrder? {
    switch self {
    case .urgency(_, let day) where day != environment.today:
      .urgency(now: environment.now, today: environment.today)
    case .reversed(let order): order.measured(environment).map(RowOrder.reversed)
    default: nil
    }
  }
}

// MARK: - What stands beside the list

extension ListScreen {
  /// Scrolls the selected item beside the list.
  ///
  /// - Returns: whether the key scrolls it.
  mutating func scrollSide(_ key: KeyPress, _ environment: ScreenEnvironment) -> Bool {
    let scrolling: KeyPress =
      switch key {
      case .character("j"): .down
      case .character("k"): .up
      case .character("g"): .home
      case .character("G"): .end
      default: key
      }
    return side.scroll(scrolling, height: window(environment).height)
  }

  /// Returns how many incomplete items the list has, or `nil` if the list is not loaded or shows no such items.
  ///
  /// - Parameter counted: the numbers from an earlier time, which remain where the order of the rows does not tell them.
  func counts(
    _ content: ListContent, after counted: ListCounts?, _ environment: ScreenEnvironment
  ) -> ListCounts? {
    guard content.isLoaded, let toDo = sections.sections.first(where: { !$0.isDone }) else { return nil }
    let waitingCount = waiting.count(at: environment.now)
    let overdue = entries?.headings.first { $0.group == .overdue }
    let overdueCount = overdue.map { filter.isEmpty ? $0.rows.count : $0.total }
    let isByDueDate = sections.order == bounds?.order
    return ListCounts(
      toDo: toDo.all.count - waitingCount, overdue: overdueCount ?? (isByDueDate ? 0 : counted?.overdue ?? 0),
      waiting: waitingCount)
  }
}

/// The messages of the list screen.
enum ListMessage {
  static let quitting = "press q to quit"
  static let quittingByCommand = "type 'quit' to close the app"
  static let nothingSelected = "nothing is selected; move up or down to select an item"
  static let nothingToDelete = "the list is empty"
  static let readOnly = ScreenEnvironment.readOnlyRefusal
  static let notConnected = "not connected; nothing was changed"
  static let alreadyDone = "the item is done"
  static let changedMeanwhile = "the item has changed meanwhile; nothing was changed"
  static let notRepeating = "the item doesn't repeat"
  static let noFurtherOccurrence = "the item has no further occurrence; check or delete it"
  static let nothingWaits = "no item waits"
  static let noCoordinate = "the item has no coordinate; edit it to set an address"
  static let noCoordinates = "no item shown has a coordinate; edit an item to set an address"
}

// MARK: - Changes of the rows

extension ListScreen {
  /// Changes the rows. The selection stays with its item, and the window with the selection.
  ///
  /// - Parameter change: the change of the content that `update` applies.
  private mutating func updateRows(_ change: ContentChange? = nil, _ update: (inout ListSections) -> Void) {
    let entry = currentEntry
    update(&sections)
    keepSelection(change)
    if top > 0, let entry, let newEntry = currentEntry { top = max(0, top + newEntry - entry) }
  }

  /// Selects the current version of the selected item, or the item in its place if it has left the rows.
  private mutating func keepSelection(_ change: ContentChange?) {
    guard let old = current else { return }
    var new: ListedItem? = old
    if let element = change?.element(of: old.item.id) { new = element.new }
    // A checked item leaves its section, and the selection does not follow it.
    if let new, new.item.isDone == old.item.isDone, sections.isExpected(new) {
      current = new
    } else {
      current = sections.row(inPlaceOf: old)
    }
  }

  /// Applies a change of the content.
  mutating func apply(
    _ change: ContentChange, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    guard !change.isEmpty else { return [] }
    waiting.apply(change)
    guard content.count > 0 else {
      sections.removeAll()
      (current, top) = (nil, 0)
      return []
    }
    updateRows(change) { $0.apply(change) }
    guard content.isLoaded else { return [] }
    let sections = sections
    let shown = change.elements.lazy.compactMap(\.new).filter { sections.index(of: $0) != nil }
    return highlights.add(shown.map(\.item.id), at: environment.uptime)
  }

  /// Handles an expired timer.
  mutating func handle(_ timer: ScreenTimer, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch timer {
    case .search:
      updateRows { $0.work() }
      return searchTimer
    case .highlight: return highlights.end(at: environment.uptime)
    case .number: return endNumber()
    case .addressTyped, .placeTyped, .draft: return []
    }
  }
}

// MARK: - Filtering and sorting

extension ListScreen {
  /// The timer of the search's next slice, if it is incomplete.
  private var searchTimer: [ScreenAction] {
    sections.hasWork ? [.perform(.startTimer(.search, .zero))] : []
  }

  /// Shows the items that match a filter.
  mutating func apply(_ new: ListFilter, _ environment: ScreenEnvironment) -> [ScreenAction] {
    itemFilter = new.itemFilter(environment.dates)
    filter = new
    return search(.all, environment)
  }

  /// Shows the items that contain a text and pass the filter.
  mutating func search(for text: String, _ environment: ScreenEnvironment) -> [ScreenAction] {
    var new = filter
    new.text = text
    let start: SectionRows.SearchStart = new.narrows(filter) ? .narrowing : .all
    filter = new
    return search(start, environment)
  }

  /// Filters again if the filter depends on the time.
  private mutating func refreshFilter(_ environment: ScreenEnvironment) -> [ScreenAction] {
    let new = filter.itemFilter(environment.dates)
    guard new != itemFilter else { return [] }
    itemFilter = new
    return search(.refreshing, environment)
  }

  private mutating func search(
    _ start: SectionRows.SearchStart, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    let matcher = filter.matcher(itemFilter, wait: waiting.filter, by: environment.search)
    guard matcher != sections.matcher else { return [] }
    // The first match is selected instead, as soon as it is found.
    if start != .refreshing {
      isDeselected = false
      if let row = current, matcher?.matches(row.item) == false { current = nil }
    }
    updateRows {
      $0.filter(by: matcher, start)
      $0.work()
    }
    return searchTimer
  }

  /// Changes the order.
  mutating func sort(by order: RowOrder) -> [ScreenAction] {
    if case .distance = order.forward {} else { previousOrder = order }
    var items: [ListedItem]?
    updateRows {
      items = $0.sort(by: order)
      $0.work()
    }
    let sort: [ScreenAction] = items.map { [.perform(.sort($0, order))] } ?? []
    return sort + searchTimer
  }

  /// Stores the result of a sort.
  mutating func takeSorted(_ ids: [ItemID], by order: RowOrder) -> [ScreenAction] {
    updateRows {
      $0.takeSorted(ids, by: order)
      $0.work()
    }
    return searchTimer
  }
}

// MARK: - Selection

extension ListScreen {
  /// The number of rows by which one wheel step moves the selection.
  private static let wheelStep = 3

  /// The index of the current row, counted through all sections.
  private var currentIndex: Int? { current.flatMap(sections.index) }

  /// The entries at the last event.
  private var entries: ListEntries? { bounds.map { ListEntries(sections, $0) } }

  /// The current row's entry index.
  private var currentEntry: Int? { currentIndex.flatMap { entries?.index(ofRow: $0) } }

  /// Selects the row at an index, or the nearest one.
  private mutating func moveSelection(to index: Int) {
    guard let row = sections.row(at: max(0, min(index, sections.count - 1))) else { return }
    (current, hasChosen, isDeselected) = (row, true, false)
  }

  /// Moves the selection by a number of rows.
  private mutating func moveSelection(by rows: Int) {
    moveSelection(to: (currentIndex ?? 0) + rows)
  }

  /// Selects the first item below the next heading or, with -1, below the one before.
  private mutating func switchHeading(by offset: Int) {
    guard let currentIndex, let entries else { return }
    moveSelection(to: entries.firstRow(fromHeadingOf: currentIndex, by: offset))
  }

  /// Handles a click, which selects a row, or the wheel, which moves the selection.
  mutating func handle(_ pointer: PointerEvent, _ environment: ScreenEnvironment) {
    switch pointer.kind {
    case .wheelUp: moveSelection(by: -Self.wheelStep)
    case .wheelDown: moveSelection(by: Self.wheelStep)
    case .click where pointer.position.column >= environment.listColumns: break
    case .click:
      var bottom = headerHeight(environment)
      guard pointer.position.row >= bottom else { return }
      for entry in window(environment).entries(from: top) {
        bottom += entry.height
        guard pointer.position.row < bottom else { continue }
        if case .row(let index) = entry.entry { moveSelection(to: index) }
        return
      }
    }
  }
}

// MARK: - Keys

extension ListScreen {
  /// The maximum number of items on a map.
  private static let mapLimit = 1_000
  /// The maximum number of rows that are examined for a coordinate.
  private static let mapSearchLimit = 20_000

  mutating func handle(
    _ key: KeyPress, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    if question != nil { return answer(key, environment) }
    if input.isOpen { return handleInput(key, environment) }
    if let actions = handleNumber(key, content) { return actions }
    let ended: [ScreenAction] = typedNumber == nil ? [] : [.perform(.cancelTimer(.number))]
    typedNumber = nil
    if move(key, environment) { return ended }
    return ended + command(key, content, environment)
  }

  /// Handles a key that moves the selection.
  ///
  /// - Returns: whether it is such a key.
  private mutating func move(_ key: KeyPress, _ environment: ScreenEnvironment) -> Bool {
    switch key {
    case .up, .character("k"), .control("p"): moveSelection(by: -1)
    case .down, .character("j"), .control("n"): moveSelection(by: 1)
    case .pageUp, .control("b"): moveSelection(by: -window(environment).pageSize)
    case .pageDown, .control("f"): moveSelection(by: window(environment).pageSize)
    case .home, .character("g"): moveSelection(to: 0)
    case .end, .character("G"): moveSelection(to: sections.count - 1)
    case .tab, .character("]"): switchHeading(by: 1)
    case .backTab, .character("["): switchHeading(by: -1)
    default: return false
    }
    return true
  }

  private mutating func command(
    _ key: KeyPress, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    switch key {
    case .character("/"): input = .search(filter)
    case .character("f"): input = .filter(FilterFields(filter))
    case .character("s"): return sort(by: orderAfterCurrent(environment))
    case .character("r"): return sort(by: reversedOrder)
    case .character("w"): return toggleWaiting(environment)
    case .character("m"): return [mapAction]
    case .character("L"): return [.outcome(.wantsLists)]
    case .character("?"): return [.outcome(.wantsHelp)]
    case .character("q"): return [.outcome(.closed)]
    case .character("a"): return unlessReadOnly(environment, .outcome(.wantsToAdd))
    case .character("A"): return unlessReadOnly(environment, .outcome(.wantsForm))
    case .character("D"): return askBeforeDeletion(content, environment)
    case .character("u"): return ifChangeable(environment, .outcome(.wantsUndo))
    case .escape: return escape(environment)
    default: return itemCommand(key, environment)
    }
    return []
  }

  /// The keys that concern the selected item.
  private static let itemKeys: Set<KeyPress> = [
    .enter, .character("e"), .character(" "), .character("d"), .character("n"), .character("M"), .character("S"),
    .character("p"),
  ]

  /// Handles a key that concerns the selected item.
  private mutating func itemCommand(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard let item = selected?.item else {
      return isDeselected && Self.itemKeys.contains(key) ? [.message(ListMessage.nothingSelected)] : []
    }
    switch key {
    case .enter: return choose(.outcome(.opened(item.id)))
    case .character("e"): return unlessReadOnly(environment, choose(.outcome(.wantsToEdit(item.id))))
    case .character(" "):
      return ifChangeable(environment, choose(.perform(item.isDone ? .uncheck(item.id) : .check(item))))
    case .character("d"): return ifChangeable(environment, choose(.perform(.delete(item.id))))
    case .character("M"): return ifChangeable(environment, choose(.outcome(.wantsToMove(item.id))))
    case .character("S"): return ifChangeable(environment, choose(environment.skip(item)))
    case .character("p"): return beginPostponement(of: item, environment)
    case .character("n"):
      let hasCoordinate = item.location?.coordinate != nil
      return choose(hasCoordinate ? .outcome(.wantsNearby(item.id)) : .message(ListMessage.noCoordinate))
    default: return []
    }
  }

  /// Asks which items to delete, unless none can be.
  private mutating func askBeforeDeletion(_ content: ListContent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    let refusal = ifChangeable(environment, [])
    guard refusal.isEmpty else { return refusal }
    guard content.count > 0 else { return [.message(ListMessage.nothingToDelete)] }
    question = DeletionQuestion(content)
    return []
  }

  private mutating func answer(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard let selection = question?.selection, let answer = question?.answer(key) else { return [] }
    question = nil
    return answer == .delete ? ifChangeable(environment, .perform(.deleteAll(selection))) : []
  }

  /// Returns an action that concerns the selected item, which remains selected.
  private mutating func choose(_ action: ScreenAction) -> [ScreenAction] {
    hasChosen = true
    return [action]
  }

  /// Returns actions if the user can change items.
  private func unlessReadOnly(_ environment: ScreenEnvironment, _ actions: [ScreenAction]) -> [ScreenAction] {
    environment.refusal.map { [.message($0)] } ?? actions
  }

  private func unlessReadOnly(_ environment: ScreenEnvironment, _ action: ScreenAction) -> [ScreenAction] {
    unlessReadOnly(environment, [action])
  }

  /// Returns actions if the user can change items now.
  private func ifChangeable(_ environment: ScreenEnvironment, _ actions: [ScreenAction]) -> [ScreenAction] {
    unlessReadOnly(environment, environment.connection.isUsable ? actions : [.message(ListMessage.notConnected)])
  }

  private func ifChangeable(_ environment: ScreenEnvironment, _ action: ScreenAction) -> [ScreenAction] {
    ifChangeable(environment, [action])
  }

  private func orderAfterCurrent(_ environment: ScreenEnvironment) -> RowOrder {
    switch sections.nextOrder.forward {
    case .due, .reversed: .title
    case .title: .created
    case .created: .updated
    case .updated: .priority
    case .priority: .urgency(now: environment.now, today: environment.today)
    case .urgency: bounds?.order ?? .due()
    case .distance: previousOrder
    }
  }

  /// The reverse of the order. That by due date is not divided by days.
  private var reversedOrder: RowOrder {
    switch sections.nextOrder {
    case .reversed(.due): bounds?.order ?? .due()
    case .reversed(let order): order
    case let order: .reversed(order)
    }
  }

  /// Shows or hides the items that wait.
  private mutating func toggleWaiting(_ environment: ScreenEnvironment) -> [ScreenAction] {
    guard waiting.count(at: environment.now) > 0 else { return [.message(ListMessage.nothingWaits)] }
    waiting.areShown.toggle()
    return search(.refreshing, environment)
  }

  private var mapAction: ScreenAction {
    let center = selected.flatMap { $0.item.location?.coordinate == nil ? nil : $0.item.id }
    var ids = sections.locatedItems(limit: Self.mapLimit, examining: Self.mapSearchLimit)
    if let center, !ids.contains(center) { ids = [center] + ids.prefix(Self.mapLimit - 1) }
    return ids.isEmpty ? .message(ListMessage.noCoordinates) : .outcome(.wantsMap(of: ids, center: center))
  }

  /// Returns from the order by distance, or else shows all items, or else names the key that quits.
  private mutating func escape(_ environment: ScreenEnvironment) -> [ScreenAction] {
    if case .distance = sections.nextOrder.forward { return sort(by: previousOrder) }
    guard filter.isEmpty else { return apply(ListFilter(), environment) }
    return [.message(environment.takesCommands ? ListMessage.quittingByCommand : ListMessage.quitting)]
  }
}

// MARK: - Postponing

extension ListScreen {
  /// Lets the user type the new date of an item, if it can be postponed.
  private mutating func beginPostponement(of item: ToDoItem, _ environment: ScreenEnvironment) -> [ScreenAction] {
    let refusal = ifChangeable(environment, [])
    guard refusal.isEmpty else { return refusal }
    guard !item.isDone else { return choose(.message(ListMessage.alreadyDone)) }
    input = .postponement(item.id, TextField("", limit: ItemQuery.Limits.text))
    hasChosen = true
    return []
  }

  /// Postpones the item whose new date was typed.
  private mutating func postpone(
    _ id: ItemID, to text: String, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    guard let item = selected?.item, item.id == id, !item.isDone else {
      input = .none
      return [.message(ListMessage.changedMeanwhile)]
    }
    do {
      let action = try environment.postpone(item, to: text)
      let actions = ifChangeable(environment, action)
      if actions == [action] { input = .none }
      return actions
    } catch { return [.message("\(error)")] }
  }
}

// MARK: - Search and filter lines

extension ListScreen {
  /// Handles a key while a search, a filter or a date is being typed.
  mutating func handleInput(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch (key, input) {
    case (.escape, .postponement): input = .none
    case (.enter, .postponement(let id, let field)): return postpone(id, to: field.text.oneLine, environment)
    // The selection stays with the item.
    case (.up, .postponement), (.down, .postponement), (.pageUp, .postponement), (.pageDown, .postponement): break
    case (.up, _): moveSelection(by: -1)
    case (.down, _): moveSelection(by: 1)
    case (.pageUp, _): moveSelection(by: -window(environment).pageSize)
    case (.pageDown, _): moveSelection(by: window(environment).pageSize)
    case (.enter, .search): input = .none
    case (.enter, .filter(let fields)):
      let new = fields.applied(to: filter)
      if let problem = new.problem(environment.dates) { return [.message(problem)] }
      input = .none
      return apply(new, environment)
    case (.escape, .search):
      input = .none
      return search(for: "", environment)
    case (.escape, .filter(let fields)):
      input = .none
      return apply(fields.cleared(filter), environment)
    case (.tab, .filter(var fields)), (.backTab, .filter(var fields)):
      fields.switchFields(by: key == .tab ? 1 : -1)
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
    case .postponement(let id, var field):
      _ = change(&field)
      input = .postponement(id, field)
      return []
    }
  }
}

// MARK: - The number of an item

extension ListScreen {
  /// The time after which the typed digits are complete.
  private static let numberTime = Duration.milliseconds(1500)
  /// The maximum number of digits.
  private static let digitLimit = 18

  /// Handles a key that belongs to an item's number.
  ///
  /// - Returns: `nil` for another key.
  private mutating func handleNumber(_ key: KeyPress, _ content: ListContent) -> [ScreenAction]? {
    switch (key, typedNumber) {
    case (.character("#"), nil): typedNumber = ""
    case (.character(let digit), let digits) where digit.isASCII && digit.isNumber:
      typedNumber = String(((digits ?? "") + String(digit)).prefix(Self.digitLimit))
    case (.backspace, let digits?): typedNumber = String(digits.dropLast())
    case (.escape, .some):
      (typedNumber, isDeselected) = (nil, false)
      return [.perform(.cancelTimer(.number))]
    default: return nil
    }
    return selectTypedNumber(content) + [.perform(.startTimer(.number, Self.numberTime))]
  }

  /// Selects the item with the typed number, or nothing.
  ///
  /// - Returns: a message if no item shown has the number, nor one that begins with its digits.
  private mutating func selectTypedNumber(_ content: ListContent) -> [ScreenAction] {
    guard let number = typedNumber.flatMap({ Int64($0) }) else { return [] }
    if let index = index(of: ItemNumber(number), content) {
      moveSelection(to: index)
      return []
    }
    isDeselected = current != nil
    let isComplete = content.isLoaded && !sections.hasWork && !sections.isSorting
    return isComplete && !sections.showsNumber(beginningWith: number) ? [noItem(number)] : []
  }

  private func index(of number: ItemNumber, _ content: ListContent) -> Int? {
    guard number.value > 0, let id = sections.id(of: number), let row = content[id].map(ListedItem.init) else {
      return nil
    }
    return sections.index(of: row)
  }

  /// Ends the typing of a number.
  private mutating func endNumber() -> [ScreenAction] {
    guard let digits = typedNumber else { return [] }
    typedNumber = nil
    guard isDeselected, let number = Int64(digits) else { return [] }
    return [noItem(number)]
  }

  private func noItem(_ number: Int64) -> ScreenAction {
    let isHidden = number > 0 && sections.id(of: ItemNumber(number)) != nil
    return .message(isHidden ? "item \(number) does not match the filter" : "no item \(number)")
  }
}

extension ListSections {
  /// Whether a shown item's number begins with the digits of another number and is longer.
  fileprivate func showsNumber(beginningWith start: Int64) -> Bool {
    guard start > 0 else { return false }
    return sections.contains { section in
      section.shown.items.contains { row in
        var number = row.item.number.value / 10
        while number > start { number /= 10 }
        return number == start
      }
    }
  }
}

// MARK: - Drawing

extension ListScreen {
  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    ListDrawing(self, content, environment).drawing
  }
}
