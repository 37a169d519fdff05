public import ToDoModel

extension ItemListing {
  /// Lists the items of a selection, in its order.
  ///
  /// - Parameter items: all items of a list, or at least the selected ones, in any order.
  public init(_ selection: ItemSelection, of items: some Sequence<ToDoItem>, at revision: Revision) {
    let selected = items.compactMap { item -> (position: ItemPosition, item: ToDoItem)? in
      let position = ItemPosition(of: item, in: selection.order)
      if let after = selection.after, position <= after { return nil }
      return selection.includes(item) ? (position, item) : nil
    }
    var fill = ListingFill()
    let first = selected.sorted { $0.position < $1.position }.prefix(selection.limit).prefix { _, item in
      guard !fill.ends(before: item, selection) else { return false }
      fill.add(item)
      return true
    }
    self.init(items: first.map(\.item), hasMore: selected.count > first.count, revision: revision)
  }
}

extension ItemSelection {
  /// Whether an item passes the filters.
  fileprivate func includes(_ item: ToDoItem) -> Bool {
    guard includes(item.deletion), numbers.isEmpty || numbers.contains(item.number), state.includes(item) else {
      return false
    }
    var folded = FoldedItem()
    return folded.matches(text, item) && passesFilter(item, &folded)
  }

  /// Whether an item passes the filters of `ItemFilter`.
  package func passesFilter(_ item: ToDoItem) -> Bool {
    var folded = FoldedItem()
    return passesFilter(item, &folded)
  }

  /// - Parameter folded: the item's texts.
  private func passesFilter(_ item: ToDoItem, _ folded: inout FoldedItem) -> Bool {
    guard due.map({ $0.includes(item.due) }) != false, folded.placeMatches(place, item),
      tags.isEmpty || tags.includes(item.tags), priorities.isEmpty || priorities.contains(item.priority),
      wait.map({ $0.includes(item) }) != false
    else { return false }
    return combination?.includes(item, &folded) ?? true
  }

  /// Whether there is a filter of `ItemFilter`.
  package var hasFilter: Bool {
    due != nil || !place.isEmpty || !tags.isEmpty || !priorities.isEmpty || wait != nil
      || combination != nil
  }

  private func includes(_ deletion: ToDoItem.Deletion?) -> Bool {
    guard let deletion else { return deleted != .only }
    return deleted != .excluded && deletion.expiresAt > now
  }
}
