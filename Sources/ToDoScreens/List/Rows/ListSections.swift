import ToDoModel
import ToDoText

/// The rows of the sections To do and Done in one order and with one filter.
struct ListSections: Equatable, Sendable {
  /// The number of rows above which they are sorted outside.
  static let immediateSortLimit = 5_000

  /// The rows of each section to show.
  private(set) var sections: [SectionRows]
  private(set) var order = RowOrder.due()
  private(set) var matcher: ItemMatcher?
  private var pendingSort: PendingSort?

  init(showing section: ListSection) {
    var sections: [SectionRows] = []
    if section != .done { sections.append(SectionRows(isDone: false, .due())) }
    if section != .todo { sections.append(SectionRows(isDone: true, .due())) }
    self.sections = sections
  }

  /// The number of items in the sections, whether they are shown or not.
  private var totalCount: Int { sections.reduce(0) { $0 + $1.all.count } }
  /// The number of shown rows.
  var count: Int { sections.reduce(0) { $0 + $1.shown.count } }
  /// Whether a search is incomplete.
  var isSearching: Bool { sections.contains(where: \.isSearching) }
  /// Whether `work` has something to do.
  var hasWork: Bool { isSearching || pendingSort?.isSorted == true }
  /// Whether the rows are being sorted in `nextOrder`.
  var isSorting: Bool { pendingSort != nil }
  /// The order once the sort is complete.
  var nextOrder: RowOrder { pendingSort?.order ?? order }

  /// Returns the ID of the item with a number. Takes one or two milliseconds for 100,000 items, an index much memory.
  func id(of number: ItemNumber) -> ItemID? {
    for section in sections {
      if let row = section.all.items.first(where: { $0.item.number == number }) { return row.item.id }
    }
    return nil
  }

  /// Applies a change of the content.
  mutating func apply(_ change: ContentChange) {
    for index in sections.indices { sections[index].apply(change, matcher) }
    pendingSort?.add(change)
  }

  /// Removes all rows.
  mutating func removeAll() {
    (order, pendingSort) = (nextOrder, nil)
    for index in sections.indices { sections[index].replace(OrderedRows(order)) }
    // Without rows, the search is complete at once.
    if matcher != nil { startSearch(.all) }
    work()
  }
}

// MARK: - Filtering and sorting

extension ListSections {
  /// Shows the rows that match a filter, or all rows. The search begins with `work`.
  mutating func filter(by matcher: ItemMatcher?, _ start: SectionRows.SearchStart) {
    self.matcher = matcher
    if matcher == nil {
      for index in sections.indices { sections[index].showAll() }
    } else {
      startSearch(start)
    }
  }

  private mutating func startSearch(_ start: SectionRows.SearchStart) {
    for index in sections.indices { sections[index].startSearch(start) }
  }

  /// Orders the rows at once, or requests that their items be sorted outside.
  ///
  /// - Returns: the items to sort, or `nil` if none need to be sorted outside.
  mutating func sort(by order: RowOrder) -> [ListedItem]? {
    pendingSort = nil
    guard order != self.order else { return nil }
    let items = sections.map(\.all.items)
    guard totalCount > Self.immediateSortLimit else {
      replaceRows(items.map { OrderedRows(order, sorted: order.sorted($0)) })
      return nil
    }
    let all = Array(items.joined())
    pendingSort = PendingSort(all, by: order)
    return all
  }

  /// Stores the IDs that were sorted outside. The rows follow with `work`.
  mutating func takeSorted(_ ids: [ItemID], by order: RowOrder) {
    if pendingSort?.order == order, pendingSort?.isSorted == false { pendingSort?.take(ids) }
  }

  /// Continues the sort and the search until the budget is exhausted.
  mutating func work(_ budget: SliceBudget = SliceBudget()) {
    var budget = budget
    if let outcome = pendingSort?.work(&budget) {
      let order = pendingSort?.order ?? order
      pendingSort = nil
      var rows: [OrderedRows] = []
      for section in sections {
        var sorted = OrderedRows(order, sorted: section.isDone ? outcome.done : outcome.toDo)
        sorted.apply(outcome.changes) { $0.item.isDone == section.isDone }
        rows.append(sorted)
      }
      replaceRows(rows)
    }
    guard let matcher else { return }
    for index in sections.indices { sections[index].continueSearch(matcher, &budget) }
  }

  private mutating func replaceRows(_ rows: [OrderedRows]) {
    for (index, rows) in rows.enumerated() {
      sections[index].replace(rows)
      order = rows.order
    }
    if matcher != nil { startSearch(.all) }
  }
}

// MARK: - Rows

extension ListSections {
  /// Returns the shown row at an index, counted through all sections.
  func row(at index: Int) -> ListedItem? {
    var rest = index
    for section in sections {
      let rows = section.shown.items
      if rows.indices.contains(rest) { return rows[rest] }
      rest -= rows.count
    }
    return nil
  }

  /// Returns the index of a shown row, counted through all sections, or `nil` if the item is not shown.
  func index(of row: ListedItem) -> Int? {
    var start = 0
    for section in sections {
      if section.isDone == row.item.isDone { return section.shown.index(of: row).map { start + $0 } }
      start += section.shown.count
    }
    return nil
  }

  /// Returns the IDs of the first shown items with a coordinate.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of IDs.
  ///   - examined: the maximum number of rows to examine.
  func locatedItems(limit: Int, examining examined: Int) -> [ItemID] {
    let rows = sections.lazy.flatMap(\.shown.items).prefix(examined)
    return Array(rows.filter { $0.item.location?.coordinate != nil }.map(\.item.id).prefix(limit))
  }

  /// Whether an item is shown, or will be shown once the search is complete.
  func isExpected(_ row: ListedItem) -> Bool {
    index(of: row) != nil || sections.contains { $0.isExpected(row, matcher) }
  }

  /// Returns the row at the place of an item that is not shown: the next one in its section, or else the one before.
  func row(inPlaceOf row: ListedItem) -> ListedItem? {
    var start = 0
    for section in sections {
      let rows = section.shown
      if section.isDone == row.item.isDone, rows.count > 0 {
        return rows.items[min(rows.insertionIndex(of: row), rows.count - 1)]
      }
      if section.isDone == row.item.isDone { break }
      start += rows.count
    }
    return self.row(at: min(start, count - 1))
  }
}
