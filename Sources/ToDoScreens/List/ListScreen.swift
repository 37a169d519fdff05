import ToDoModel
package import ToDoText

/// The list: the sections To do and Done with a selection.
///
/// Its rows follow from the `.changed` events, so that every change must reach the screen, also while another one covers it.
package struct ListScreen: Screen {
  let section: ListSection
  var filter: ListFilter
  /// The due dates that `filter` selects at the current time.
  var dueDates: DueFilter?
  var sections: ListSections
  var input = ListInput.none
  /// The question that the next key answers.
  var question: DeletionQuestion?
  /// The row of the selection as it was last shown, also while nothing is selected.
  var current: ListedItem?
  /// Whether nothing is selected, because the user typed a number that no item shown has.
  var isDeselected = false
  /// The item to select as soon as it is shown.
  private var requested: ItemID?
  /// Whether the user has selected an item. The first row is selected until then and until the list is loaded.
  var hasChosen = false
  /// The index of the first visible entry.
  var top = 0
  /// The digits of the number that is being typed.
  var typedNumber: String?
  /// The changed items, with the time until which each is highlighted.
  var highlights: [ItemID: Duration] = [:]
  /// The order to return to from the order by distance.
  var previousOrder = RowOrder.due
  private var hasAppliedFilter = false

  /// Creates a list of the items in a section that pass a filter.
  package init(showing section: ListSection, filter: ListFilter) {
    (self.section, self.filter) = (section, filter)
    sections = ListSections(showing: section)
  }

  /// The selected item.
  var selected: ListedItem? { isDeselected ? nil : current }

  /// The ID of the selected item.
  var selectedItem: ItemID? { requested ?? selected?.item.id }

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
    var actions = hasAppliedFilter ? [] : applyFirstFilter(environment)
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
    case .result(.changed(_, _, .failure(let failure))), .result(.deletedAll(_, .failure(let failure))):
      actions.append(.message(failure.message))
    case .timer(let timer): actions += handle(timer, environment)
    case .minutePassed: actions += refreshFilter(environment)
    case .result, .resized, .resumed, .watch, .draftFound, .connection: break
    }
    settle(content, environment)
    return actions
  }

  private mutating func applyFirstFilter(_ environment: ScreenEnvironment) -> [ScreenAction] {
    hasAppliedFilter = true
    guard !filter.isEmpty else { return [] }
    let problem: [ScreenAction] = filter.problem(environment.dates).map { [.message($0)] } ?? []
    return problem + apply(filter, environment)
  }

  /// Corrects the selection and the window after an event.
  private mutating func settle(_ content: ListContent, _ environment: ScreenEnvironment) {
    selectRequested(content)
    if current == nil || !(hasChosen || content.isLoaded) { current = sections.row(at: 0) }
    if current == nil { isDeselected = false }
    scroll(environment)
  }

  private mutating func selectRequested(_ content: ListContent) {
    guard let requested, let item = content[requested] else { return }
    let row = ListedItem(item)
    guard sections.index(of: row) != nil else { return }
    (current, hasChosen, isDeselected, self.requested) = (row, true, false, nil)
  }
}

/// The messages of the list screen.
enum ListMessage {
  static let quitting = "press q to quit"
  static let quittingByCommand = "type 'quit' to close the app"
  static let nothingSelected = "nothing is selected; move up or down to select an item"
  static let nothingToDelete = "the list is empty"
  static let readOnly = "this view is read-only; change items with 'todo ui'"
  static let notConnected = "not connected; nothing was changed"
  static let noCoordinate = "the item has no coordinate; edit it to set an address"
  static let noCoordinates = "no item shown has a coordinate; edit an item to set an address"
}
