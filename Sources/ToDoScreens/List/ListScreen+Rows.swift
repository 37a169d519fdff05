import ToDoModel

// MARK: - Changes of the rows

extension ListScreen {
  /// The duration for which a changed item is highlighted.
  static let highlightTime = Duration.seconds(1)
  /// The maximum number of highlighted items.
  private static let highlightLimit = 1_000
  /// The shortest time between two ends of highlights.
  private static let highlightStep = Duration.milliseconds(100)

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
    guard content.count > 0 else {
      sections.removeAll()
      (current, top) = (nil, 0)
      return []
    }
    updateRows(change) { $0.apply(change) }
    return content.isLoaded ? highlight(change, environment) : []
  }

  /// Highlights the shown items that have changed.
  private mutating func highlight(_ change: ContentChange, _ environment: ScreenEnvironment) -> [ScreenAction] {
    let isTimerRunning = !highlights.isEmpty
    for row in change.elements.lazy.compactMap(\.new) {
      guard highlights.count < Self.highlightLimit else { break }
      if sections.index(of: row) != nil { highlights[row.item.id] = environment.uptime + Self.highlightTime }
    }
    let needsTimer = !isTimerRunning && !highlights.isEmpty
    return needsTimer ? [.perform(.startTimer(.highlight, Self.highlightTime))] : []
  }

  /// Handles an expired timer.
  mutating func handle(_ timer: ScreenTimer, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch timer {
    case .search:
      updateRows { $0.work() }
      return searchTimer
    case .highlight: return endHighlights(environment)
    case .number: return endNumber()
    case .addressTyped, .placeTyped, .draft: return []
    }
  }

  private mutating func endHighlights(_ environment: ScreenEnvironment) -> [ScreenAction] {
    highlights = highlights.filter { $0.value > environment.uptime }
    guard let next = highlights.values.min() else { return [] }
    return [.perform(.startTimer(.highlight, max(Self.highlightStep, next - environment.uptime)))]
  }
}

// MARK: - Filtering and sorting

extension ListScreen {
  /// The timer of the next slice of the search, if it is incomplete.
  private var searchTimer: [ScreenAction] {
    sections.hasWork ? [.perform(.startTimer(.search, .zero))] : []
  }

  /// Shows the items that match a filter.
  mutating func apply(_ new: ListFilter, _ environment: ScreenEnvironment) -> [ScreenAction] {
    dueDates = new.dueDates(environment.dates)
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
  mutating func refreshFilter(_ environment: ScreenEnvironment) -> [ScreenAction] {
    let new = filter.dueDates(environment.dates)
    guard new != dueDates else { return [] }
    dueDates = new
    return search(.refreshing, environment)
  }

  private mutating func search(
    _ start: SectionRows.SearchStart, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    let matcher = filter.matcher(dueDates, by: environment.search)
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
    if case .distance = order {} else { previousOrder = order }
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
