package import ToDoModel

/// All items of the list, as a watch's events define them.
///
/// An event takes time proportional to the items in it, not to the list. While the first snapshot arrives, the content has the
/// items received so far. While a later snapshot arrives, it keeps the old items.
struct ListContent: Sendable {
  /// The list's revision, or `nil` until the first snapshot is complete.
  private(set) var revision: Revision?
  private var items: [ItemID: ListedItem] = [:]
  /// The items of an incomplete snapshot that replaces the content.
  private var snapshot: [ItemID: ListedItem]?

  /// Whether the first snapshot is complete.
  var isLoaded: Bool { revision != nil }
  var count: Int { items.count }
  /// The items in any order.
  var all: some Sequence<ToDoItem> { items.values.lazy.map(\.item) }
  /// The number of done items, which takes time proportional to the list.
  var doneCount: Int { items.values.count { $0.item.isDone } }

  subscript(id: ItemID) -> ToDoItem? { items[id]?.item }

  /// Applies an event.
  ///
  /// - Returns: the changed items.
  mutating func apply(_ event: WatchEvent) -> ContentChange {
    switch event {
    case .restarted:
      snapshot = isLoaded ? [:] : nil
      return isLoaded ? ContentChange() : removeAll()
    case .snapshotPage(let page):
      guard snapshot != nil else { return put(page) }
      for item in page { snapshot?[item.id] = ListedItem(item) }
      return ContentChange()
    case .snapshotEnd(let revision):
      self.revision = revision
      return replaceContent()
    case .changes(let set):
      revision = set.revision
      return apply(set.changes)
    case .progress(let revision):
      self.revision = revision
      return ContentChange()
    }
  }

  private mutating func put(_ page: [ToDoItem]) -> ContentChange {
    var change = ContentChange()
    for item in page {
      let new = ListedItem(item)
      change.add(old: items.updateValue(new, forKey: item.id), new: new)
    }
    return change
  }

  private mutating func apply(_ changes: [ItemChange]) -> ContentChange {
    var result = ContentChange()
    for change in changes {
      switch change {
      case .put(let item, _):
        let new = ListedItem(item)
        result.add(old: items.updateValue(new, forKey: item.id), new: new)
      case .deleted(let deletion):
        result.add(old: items.removeValue(forKey: deletion.id), new: nil)
      }
    }
    return result
  }

  private mutating func removeAll() -> ContentChange {
    var change = ContentChange()
    for old in items.values { change.add(old: old, new: nil) }
    items = [:]
    return change
  }

  /// Replaces the content by a complete snapshot.
  private mutating func replaceContent() -> ContentChange {
    guard let snapshot else { return ContentChange() }
    var change = ContentChange()
    for old in items.values {
      let new = snapshot[old.item.id]
      if new?.item != old.item { change.add(old: old, new: new) }
    }
    for new in snapshot.values where items[new.item.id] == nil { change.add(old: nil, new: new) }
    (items, self.snapshot) = (snapshot, nil)
    return change
  }
}

/// An item of the list. An object, so that rows in several orders share it.
package final class ListedItem: Sendable {
  /// The item.
  package let item: ToDoItem

  init(_ item: ToDoItem) {
    self.item = item
  }

  /// The position in the order of `ItemOrder.list`. Computed, because it would take a tenth of the item's memory.
  var position: ItemPosition { ItemPosition(of: item, in: .list) }
}

extension ListedItem: Equatable {
  package static func == (left: ListedItem, right: ListedItem) -> Bool { left === right || left.item == right.item }
}

/// The items that an event changed.
package struct ContentChange: Equatable, Sendable {
  /// One changed item: before and after the change.
  struct Element: Equatable, Sendable {
    let old: ListedItem?
    let new: ListedItem?
  }

  private(set) var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }

  mutating func add(old: ListedItem?, new: ListedItem?) {
    if old != nil || new != nil { elements.append(Element(old: old, new: new)) }
  }
}
