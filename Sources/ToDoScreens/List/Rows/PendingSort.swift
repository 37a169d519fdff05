import ToDoModel

/// A sort of many items that runs outside. It combines the sorted IDs with the items in slices, and then applies the changes
/// since the start.
struct PendingSort: Equatable, Sendable {
  /// The sorted items that are not done and those that are done, and the changes to apply to both.
  struct Outcome: Equatable {
    var toDo: [ListedItem] = []
    var done: [ListedItem] = []
    var changes = ContentChange()
  }

  let order: RowOrder
  private let items: [ListedItem]
  private var ids: [ItemID]?
  /// The first items by ID, without those in `outcome`.
  private var rows: [ItemID: ListedItem] = [:]
  private var indexedCount = 0
  private var placedCount = 0
  private var outcome = Outcome()
  private var changes = NetChanges()

  /// Creates a pending sort.
  ///
  /// - Parameter items: the items that are being sorted.
  init(_ items: [ListedItem], by order: RowOrder) {
    (self.items, self.order) = (items, order)
  }

  /// Whether the sorted IDs have arrived.
  var isSorted: Bool { ids != nil }

  /// Stores the sorted IDs.
  mutating func take(_ ids: [ItemID]) {
    self.ids = ids
    rows.reserveCapacity(items.count)
  }

  /// Records a change since the start.
  mutating func add(_ change: ContentChange) {
    changes.add(change)
  }

  /// Handles a number of items.
  ///
  /// - Returns: the outcome, or `nil` if more remains to be done.
  mutating func work(_ budget: inout SliceBudget) -> Outcome? {
    guard let ids else { return nil }
    let indexed = items[indexedCount...].prefix(budget.items)
    for row in indexed { rows[row.item.id] = row }
    indexedCount += indexed.count
    budget.items -= indexed.count
    guard indexedCount == items.count else { return nil }
    let placed = ids[placedCount...].prefix(budget.items)
    for id in placed { place(id) }
    placedCount += placed.count
    budget.items -= placed.count
    return placedCount == ids.count ? finished() : nil
  }

  private mutating func place(_ id: ItemID) {
    guard let row = rows.removeValue(forKey: id) else { return }
    if row.item.isDone { outcome.done.append(row) } else { outcome.toDo.append(row) }
  }

  private func finished() -> Outcome {
    var (outcome, changes) = (outcome, NetChanges())
    // Items that the IDs lack belong to the rows, too.
    var missing = ContentChange()
    for row in rows.values { missing.add(old: nil, new: row) }
    changes.add(missing)
    changes.add(self.changes.change)
    outcome.changes = changes.change
    return outcome
  }
}
