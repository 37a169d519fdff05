package import ToDoModel
package import ToDoRules

/// One range of one index. A listing is one scan, or two if it has two sections.
package enum ItemScan: Hashable, Sendable {
  /// The incomplete items by due date, then by creation.
  case byDueDate
  /// The done items, the most recently completed first.
  case byCompletion
  /// The items in the order of their creation.
  case byCreation(ItemState)
  /// The items, the most recently changed first.
  case byUpdate(ItemState)
  /// The deleted items that have not expired, the most recently deleted first.
  case byDeletion(ItemState)

  /// Returns the scans of a listing in order, and the start of each.
  package static func scans(for selection: ItemSelection) -> [(scan: ItemScan, start: Start)] {
    let sections = sections(of: selection)
    guard let after = selection.after else {
      return sections.map { ($0.scan, $0.scan == .byDueDate ? selection.firstDueStart : $0.scan.initialStart) }
    }
    return sections.filter { $0.number >= after.section }.map { section in
      (section.scan, section.number == after.section ? section.scan.start(after: after) : section.scan.initialStart)
    }
  }

  private static func sections(of selection: ItemSelection) -> [(number: UInt8, scan: ItemScan)] {
    let deleted = (ItemPosition.deleted, ItemScan.byDeletion(selection.state))
    guard selection.deleted != .only else { return [deleted] }
    let present: [(number: UInt8, scan: ItemScan)] =
      switch (selection.order, selection.state) {
      case (.list, .all): [(ItemPosition.toDo, .byDueDate), (ItemPosition.done, .byCompletion)]
      case (.list, .toDo): [(ItemPosition.toDo, .byDueDate)]
      case (.list, .done): [(ItemPosition.done, .byCompletion)]
      case (.created, let state): [(0, .byCreation(state))]
      case (.updated, let state): [(0, .byUpdate(state))]
      }
    return selection.deleted == .included ? present + [deleted] : present
  }

  /// The exclusive start of a scan: the scan continues after this key, or before it if the index is read backwards.
  package struct Start: Equatable, Sendable {
    /// The first number of the key.
    package var primary: Int64
    /// The second number of the key, which only `byDueDate` has.
    package var secondary: Int64 = 0
    /// The last part of the key.
    package var id: ItemBound

    /// Creates a start.
    package init(primary: Int64, secondary: Int64 = 0, id: ItemBound) {
      self.primary = primary
      self.secondary = secondary
      self.id = id
    }
  }

  /// A bound among item IDs.
  package enum ItemBound: Equatable, Sendable {
    /// Before every ID.
    case beforeAll
    /// An ID.
    case at(ItemID)
    /// After every ID.
    case afterAll
  }

  /// Whether the scan lists deleted items.
  package var isDeletion: Bool {
    if case .byDeletion = self { true } else { false }
  }

  /// Whether the index is read backwards.
  package var isBackward: Bool {
    switch self {
    case .byDueDate, .byCreation: false
    case .byCompletion, .byUpdate, .byDeletion: true
    }
  }

  fileprivate var initialStart: Start {
    isBackward ? Start(primary: .max, id: .afterAll) : Start(primary: .min, secondary: .min, id: .beforeAll)
  }

  private func start(after position: ItemPosition) -> Start {
    if self == .byDueDate {
      return Start(primary: position.primary, secondary: position.secondary, id: .at(position.tieBreak))
    }
    // The other orders have no second number. Their positions contain 0, but a client may send any position.
    let isAfterEquals = position.secondary > 0
    let isBeforeEquals = position.secondary < 0
    if isBackward {
      let id: ItemBound = isAfterEquals ? .beforeAll : isBeforeEquals ? .afterAll : .at(~position.tieBreak)
      return Start(primary: ~position.primary, id: id)
    }
    let id: ItemBound = isAfterEquals ? .afterAll : isBeforeEquals ? .beforeAll : .at(position.tieBreak)
    return Start(primary: position.primary, id: id)
  }
}

extension ItemSelection {
  /// The bounds of `DueDate.order` of the items that pass the filter by due date; `nil` if all may pass it.
  private var dueOrders: ClosedRange<Timestamp>? {
    switch due {
    case nil: nil
    case .unset: Timestamp.max...Timestamp.max
    case .within(let range): range.orderBounds
    }
  }

  /// The start of a scan by due date, which skips the items that are due before the filter's range.
  fileprivate var firstDueStart: ItemScan.Start {
    guard let first = dueOrders?.lowerBound, first.microseconds > .min else { return ItemScan.byDueDate.initialStart }
    return ItemScan.Start(primary: first.microseconds - 1, secondary: .max, id: .afterAll)
  }

  /// The order after which a scan by due date ends; `nil` for no end.
  package var lastDueOrder: Timestamp? { dueOrders?.upperBound }
}

extension ToDoItem {
  /// The order of the item in a scan by due date.
  package var dueOrder: Timestamp { due?.order ?? .max }
}
