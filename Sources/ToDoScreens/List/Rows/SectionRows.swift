import ToDoModel

/// The rows of one section, and the search for those that match a filter.
///
/// A search examines the rows in their order, in slices. Changes between the slices apply at once to the examined part, and
/// the search finds the others later.
struct SectionRows: Equatable, Sendable {
  /// The rows with which a search starts.
  enum SearchStart: Equatable, Sendable {
    /// With all rows. The rows that match are shown as they are found.
    case all
    /// With the rows that match the earlier filter, all of which the new filter narrows.
    case narrowing
    /// With all rows. The earlier rows are shown until the search is complete.
    case refreshing
  }

  /// An incomplete search.
  private struct Search: Equatable, Sendable {
    /// The rows to examine, or `nil` for all rows.
    var candidates: OrderedRows?
    /// The last examined row.
    var last: ListedItem?
    /// The rows found so far, if the earlier rows are still shown.
    var found: OrderedRows?
  }

  /// Whether the items of the section are done.
  let isDone: Bool
  /// All rows of the section.
  private(set) var all: OrderedRows
  /// The shown rows, or `nil` for all rows.
  private var matches: OrderedRows?
  private var search: Search?

  init(isDone: Bool, _ order: RowOrder) {
    (self.isDone, all) = (isDone, OrderedRows(order))
  }

  /// The rows to show.
  var shown: OrderedRows { matches ?? all }
  var isSearching: Bool { search != nil }

  /// Whether an item will be shown, although it is not shown yet.
  func isExpected(_ row: ListedItem, _ matcher: ItemMatcher?) -> Bool {
    guard let matcher, let search, search.found == nil else { return false }
    return row.item.isDone == isDone && !hasExamined(row) && matcher.matches(row.item)
  }

  /// Replaces all rows. An earlier search ends, and all rows are shown.
  mutating func replace(_ rows: OrderedRows) {
    (all, matches, search) = (rows, nil, nil)
  }

  /// Applies a change.
  ///
  /// - Parameter matcher: the current filter.
  mutating func apply(_ change: ContentChange, _ matcher: ItemMatcher?) {
    let isDone = isDone
    all.apply(change) { $0.item.isDone == isDone }
    guard let matcher else { return }
    search?.candidates?.apply(change) { $0.item.isDone == isDone }
    let (last, order) = (search?.last, all)
    let isSearching = search != nil
    let isExamined = { (row: ListedItem) in !isSearching || last.map { !order.precedes($0, row) } == true }
    let isMatch = { (row: ListedItem) in row.item.isDone == isDone && matcher.matches(row.item) }
    if search?.found == nil {
      matches?.apply(change) { isExamined($0) && isMatch($0) }
    } else {
      matches?.apply(change, including: isMatch)
      search?.found?.apply(change) { isExamined($0) && isMatch($0) }
    }
  }

  private func hasExamined(_ row: ListedItem) -> Bool {
    guard let search else { return true }
    return search.last.map { !all.precedes($0, row) } ?? false
  }
}

// MARK: - Searching

extension SectionRows {
  /// Shows all rows.
  mutating func showAll() {
    (matches, search) = (nil, nil)
  }

  /// Starts a search. An earlier one ends.
  mutating func startSearch(_ start: SearchStart) {
    let none = OrderedRows(all.order)
    switch start {
    case .all:
      (search, matches) = (Search(), none)
    case .narrowing:
      (search, matches) = (Search(candidates: candidates), none)
    case .refreshing:
      // If the earlier search is incomplete, matches are shown as they are found.
      let isComplete = matches != nil && (search == nil || search?.found != nil)
      search = Search(found: isComplete ? none : nil)
      if !isComplete { matches = none }
    }
  }

  /// The rows that may match a narrower filter: the rows found, and those not examined yet.
  private var candidates: OrderedRows? {
    guard let search else { return matches }
    let source = search.candidates ?? all
    let rest = source.items[(search.last.map(source.index(after:)) ?? 0)...]
    return OrderedRows(all.order, sorted: (search.found ?? shown).items + rest)
  }

  /// Examines rows until the budget is exhausted or the search is complete.
  mutating func continueSearch(_ matcher: ItemMatcher, _ budget: inout SliceBudget) {
    guard search != nil else { return }
    let source = search?.candidates ?? all
    var index = search?.last.map(source.index(after:)) ?? 0
    while index < source.count, budget.take(source.items[index].item) {
      let row = source.items[index]
      if matcher.matches(row.item) { addMatch(row) }
      index += 1
    }
    if index < source.count {
      if index > 0 { search?.last = source.items[index - 1] }
    } else {
      if let found = search?.found { matches = found }
      search = nil
    }
  }

  private mutating func addMatch(_ row: ListedItem) {
    if search?.found == nil { matches?.append(row) } else { search?.found?.append(row) }
  }
}
