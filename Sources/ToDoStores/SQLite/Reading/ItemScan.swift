import ToDoModel
import ToDoRules

/// One range of one index: a listing is one scan, or two when it has two sections.
enum ItemScan: Hashable {
  /// The undone items by due date, then by creation.
  case byDueDate
  /// The done items, the most recently completed first.
  case byCompletion
  case byCreation(ItemState)
  case byUpdate(ItemState)

  /// What a listing scans, one after the other, and where each scan starts.
  static func scans(for selection: ItemSelection) -> [(scan: ItemScan, start: Start)] {
    let sections: [(number: UInt8, scan: ItemScan)] =
      switch (selection.order, selection.state) {
      case (.list, .all): [(ItemPosition.toDo, .byDueDate), (ItemPosition.done, .byCompletion)]
      case (.list, .toDo): [(ItemPosition.toDo, .byDueDate)]
      case (.list, .done): [(ItemPosition.done, .byCompletion)]
      case (.created, let state): [(0, .byCreation(state))]
      case (.updated, let state): [(0, .byUpdate(state))]
      }
    guard let after = selection.after else { return sections.map { ($0.scan, $0.scan.beginning) } }
    return sections.filter { $0.number >= after.section }.map { section in
      (section.scan, section.number == after.section ? section.scan.start(after: after) : section.scan.beginning)
    }
  }

  /// Where a scan starts: after this key, or, where the index is read backwards, before it.
  struct Start: Equatable {
    var primary: Int64
    /// Only `byDueDate` has a second number in its key.
    var secondary: Int64 = 0
    var id: ItemBound
  }

  /// A place among the identities.
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

  private var beginning: Start {
    isBackward ? Start(primary: .max, id: .afterAll) : Start(primary: .min, secondary: .min, id: .beforeAll)
  }

  private func start(after position: ItemPosition) -> Start {
    if self == .byDueDate {
      return Start(primary: position.primary, secondary: position.secondary, id: .at(position.tieBreak))
    }
    // The other orders have no second number: their positions bear a 0, but any position can be asked for.
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
