import ToDoModel

/// Items in the order of `ItemOrder.list`, which updates preserve.
struct OrderedItems: Equatable, Sendable {
  private(set) var items: [ToDoItem] = []

  /// Creates the sorted items.
  ///
  /// - Parameter items: Distinct items in any order.
  init(_ items: [ToDoItem] = []) {
    self.items = Self.sorted(items)
  }

  /// Removes and adds items in one operation, which costs one copy of the array, and a binary search for each item.
  ///
  /// - Parameters:
  ///   - removed: The positions of contained items.
  ///   - added: Items that are not contained, or whose old positions are among `removed`.
  mutating func update(removing removed: [ItemPosition], adding added: [ToDoItem]) {
    guard !removed.isEmpty || !added.isEmpty else { return }
    let edits = Self.edits(removed, Self.sorted(added))
    var updated: [ToDoItem] = []
    updated.reserveCapacity(items.count + added.count - removed.count)
    var next = 0
    for edit in edits {
      let index = firstIndex(notBefore: edit.position, from: next)
      updated += items[next..<index]
      next = index
      if let item = edit.item { updated.append(item) } else { next += 1 }
    }
    updated += items[next...]
    items = updated
  }

  private struct Edit {
    let position: ItemPosition
    /// The item to insert; `nil` removes the item at the position.
    let item: ToDoItem?
  }

  /// Returns the edits in order. If an item keeps its position, its removal precedes its insertion.
  private static func edits(_ removed: [ItemPosition], _ added: [ToDoItem]) -> [Edit] {
    let edits = removed.map { Edit(position: $0, item: nil) } + added.map { Edit(position: $0.position, item: $0) }
    return edits.sorted { ($0.position, $0.item == nil ? 0 : 1) < ($1.position, $1.item == nil ? 0 : 1) }
  }

  private static func sorted(_ items: [ToDoItem]) -> [ToDoItem] {
    items.map { (position: $0.position, item: $0) }.sorted { $0.position < $1.position }.map(\.item)
  }

  private func firstIndex(notBefore position: ItemPosition, from start: Int) -> Int {
    var (low, high) = (start, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].position < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ToDoItem {
  /// The position in the order of `ItemOrder.list`.
  var position: ItemPosition { ItemPosition(of: self, in: .list) }
}
