import ToDoModel

/// Rows of a section in a `RowOrder`.
///
/// A row is found in logarithmic time. A change of one item also moves the references after it. A page of new items takes a
/// binary search for each item and one copy of the references.
struct OrderedRows: Equatable, Sendable {
  let order: RowOrder
  private(set) var items: [ListedItem]

  /// The minimum number of changed items that are merged in one pass.
  private static let mergeThreshold = 8

  /// Creates rows.
  ///
  /// - Parameter items: the items in the given order.
  init(_ order: RowOrder, sorted items: [ListedItem] = []) {
    (self.order, self.items) = (order, items)
  }

  var count: Int { items.count }

  /// Returns an item's index, or `nil` if the rows do not contain this version of the item.
  func index(of row: ListedItem) -> Int? {
    let index = insertionIndex(of: row)
    return index < items.count && items[index].item.id == row.item.id ? index : nil
  }

  /// Returns the index of the first row that does not precede an item.
  func insertionIndex(of row: ListedItem) -> Int {
    lowerBound(of: key(of: row), from: 0)
  }

  /// Returns the index of the first row that follows an item.
  func index(after row: ListedItem) -> Int {
    let index = insertionIndex(of: row)
    return index < items.count && !precedes(row, items[index]) ? index + 1 : index
  }

  /// Whether an item sorts before another one.
  func precedes(_ left: ListedItem, _ right: ListedItem) -> Bool {
    key(of: left) < key(of: right)
  }

  /// Adds an item that follows all rows.
  mutating func append(_ row: ListedItem) {
    items.append(row)
  }

  /// Applies a change.
  ///
  /// - Parameter isIncluded: whether an item belongs to the rows after the change.
  mutating func apply(_ change: ContentChange, including isIncluded: (ListedItem) -> Bool) {
    guard change.elements.count >= Self.mergeThreshold else {
      for element in change.elements { replace(element.old, by: element.new.flatMap { isIncluded($0) ? $0 : nil }) }
      return
    }
    var (removed, added) = ([Int](), [ListedItem]())
    for element in NetChanges(change).change.elements {
      if let index = element.old.flatMap(index) { removed.append(index) }
      if let new = element.new, isIncluded(new) { added.append(new) }
    }
    remove(at: removed.sorted())
    merge(order.sorted(added))
  }

  private mutating func replace(_ old: ListedItem?, by new: ListedItem?) {
    let index = old.flatMap(index)
    if let index, let new, let old, key(of: old) == key(of: new) {
      items[index] = new
      return
    }
    if let index { items.remove(at: index) }
    if let new { items.insert(new, at: insertionIndex(of: new)) }
  }

  /// Removes rows at ascending indices.
  private mutating func remove(at indices: [Int]) {
    guard !indices.isEmpty else { return }
    var (rest, start) = ([ListedItem](), 0)
    rest.reserveCapacity(items.count)
    for index in indices {
      rest += items[start..<index]
      start = index + 1
    }
    rest += items[start...]
    items = rest
  }

  /// Inserts rows that are sorted.
  private mutating func merge(_ added: [ListedItem]) {
    guard let first = added.first else { return }
    guard let last = items.last, precedes(first, last) else {
      items += added
      return
    }
    var (merged, start) = ([ListedItem](), 0)
    merged.reserveCapacity(items.count + added.count)
    for row in added {
      let index = lowerBound(of: key(of: row), from: start)
      merged += items[start..<index]
      merged.append(row)
      start = index
    }
    merged += items[start...]
    items = merged
  }

  private func key(of row: ListedItem) -> RowKey { RowKey(of: row, in: order) }

  /// Returns the index of the first row at or after `start` that does not precede a key.
  private func lowerBound(of key: RowKey, from start: Int) -> Int {
    firstIndex(from: start) { self.key(of: $0) >= key }
  }

  /// Returns the index of the first row at or after `start` that a condition holds for, which holds for all rows after it.
  func firstIndex(from start: Int, where condition: (ListedItem) -> Bool) -> Int {
    var (low, high) = (start, items.count)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(items[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
