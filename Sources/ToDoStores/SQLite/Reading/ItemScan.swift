import ToDoModel
import ToDoRules

/// One range of one index. A listing is one scan, or two if it has two sections.
enum ItemScan: Hashable {
  /// The incomplete items by due date, then by creation.
  case byDueDate
  /// The done items, the most recently completed first.
  case byCompletion
  case byCreation(ItemState)
  case byUpdate(ItemState)

  /// Returns the scans of a listing in order, and the start of each.
  static func scans(for selection: ItemSelection) -> [(scan: ItemScan, start: Start)] {
    let sections: [(number: UInt8, scan: ItemScan)] =
      switch (selection.order, selection.state) {
      case (.list, .all): [(ItemPosition.toDo, .byDueDate), (ItemPosition.done, .byCompletion)]
      case (.list, .toDo): [(ItemPosition.toDo, .byDueDate)]
      case (.list, .done): [(ItemPosition.done, .byCompletion)]
      case (.created, let state): [(0, .byCreation(state))]
      case (.updated, let state): [(0, .byUpdate(state))]
      }
    guard let after = selection.after else { return sections.map { ($0.scan, $0.scan.initialStart) } }
    return sections.filter { $0.number >= after.section }.map { section in
      (section.scan, section.number == after.section ? section.scan.start(after: after) : section.scan.initialStart)
    }
  }

  /// The exclusive start of a scan: the scan continues after this key, or before it if the index is read backwards.
  struct Start: Equatable {
    var primary: Int64
    /// Only `byDueDate` has a second number in its key.
    var secondary: Int64 = 0
    var id: ItemBound
  }

  /// A bound among item IDs.
  enum ItemBound: Equatable {
    case beforeAll
    case at(ItemID)
    case afterAll
  }

  private var isBackward: Bool {
    switch self {
    case .byDueDate, .byCreation: false
    case .byCompletion, .byUpdate: true
    }
  }

  private var initialStart: Start {
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
