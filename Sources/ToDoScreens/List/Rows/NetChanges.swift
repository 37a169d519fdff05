import ToDoModel

/// Several changes combined: for each item, its version before the first change and its version after the last one.
struct NetChanges: Equatable, Sendable {
  private var elements: [ItemID: ContentChange.Element] = [:]

  init() {}

  init(_ change: ContentChange) {
    add(change)
  }

  /// The changes as one. Their order is unspecified.
  var change: ContentChange {
    var change = ContentChange()
    for element in elements.values { change.add(old: element.old, new: element.new) }
    return change
  }

  /// Adds a later change.
  mutating func add(_ change: ContentChange) {
    for element in change.elements {
      guard let id = element.id else { continue }
      let old = elements[id].map(\.old) ?? element.old
      elements[id] = ContentChange.Element(old: old, new: element.new)
    }
  }
}

extension ContentChange.Element {
  /// The item's ID.
  var id: ItemID? { (new ?? old)?.item.id }
}

extension ContentChange {
  /// Returns the last change of an item, or `nil` if the item has not changed.
  func element(of id: ItemID) -> Element? {
    elements.last { $0.id == id }
  }
}
