#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoStores

/// The statements that scan listings.
extension ItemScan {
  /// The rows that a scan returns after a key, in its order: `PostgreSQLItemRow.columns`, then the numbers of the key.
  ///
  /// Parameters: 1 the owner's name, 2 the first number and 3 the ID of the key, 4 the maximum number. Of
  /// `byDueDate`: 5 the second number of the key, 6 the last value of `due_order`. Of `byDeletion`: 5 the current
  /// time.
  var sql: SQL {
    let (key, range) = keyset
    let order = isBackward ? key.map { $0 + " DESC" } : key
    return """
      SELECT \(PostgreSQLItemRow.columns), \(key.dropLast().joined(separator: ", ")) FROM item
      WHERE list = $1 AND \(range) AND \(condition)
      ORDER BY \(order.joined(separator: ", ")) LIMIT $4
      """
  }

  /// The columns of the key, and the condition that selects the rows after a key.
  private var keyset: (columns: [String], range: String) {
    switch self {
    case .byDueDate:
      (["due_order", "created_at", "id"], "(due_order, created_at, id) > ($2, $5, $3) AND due_order <= $6")
    case .byCompletion: (["completed_at", "id"], "(completed_at, id) < ($2, $3)")
    case .byCreation: (["created_at", "id"], "(created_at, id) > ($2, $3)")
    case .byUpdate: (["revision", "id"], "(revision, id) < ($2, $3)")
    case .byDeletion: (["revision", "id"], "(revision, id) < ($2, $3)")
    }
  }

  /// The conditions of the scan's index and state.
  private var condition: String {
    switch self {
    case .byDueDate: "completed_at IS NULL AND deleted_at IS NULL"
    case .byCompletion: "completed_at IS NOT NULL AND deleted_at IS NULL"
    case .byCreation(let state), .byUpdate(let state): "deleted_at IS NULL\(state.condition)"
    case .byDeletion(let state): "expires_at IS NOT NULL AND expires_at > $5\(state.condition)"
    }
  }
}

extension ItemState {
  /// The condition that follows others.
  fileprivate var condition: String {
    switch self {
    case .all: ""
    case .toDo: " AND completed_at IS NULL"
    case .done: " AND completed_at IS NOT NULL"
    }
  }
}

/// The key after which a statement of a scan starts.
struct ScanKey: Equatable {
  var primary: Int64
  /// Only `byDueDate` has a second number in its key.
  var secondary: Int64 = 0
  var id: ItemID
}

extension ScanKey {
  /// Creates the key at which a scan starts.
  ///
  /// No value of the type `uuid` is before or after all IDs, so the key has the next or the previous number where
  /// necessary. The items with the first and the last number of all are lost then, but no item has these: they are not
  /// supported times.
  init(_ start: ItemScan.Start, of scan: ItemScan) {
    let (primary, secondary) = (start.primary, start.secondary)
    switch (start.id, scan.isBackward) {
    case (.at(let id), _): self.init(primary: primary, secondary: secondary, id: id)
    case (.afterAll, false): self.init(primary: primary, secondary: secondary, id: .last)
    case (.beforeAll, true): self.init(primary: primary, id: .first)
    case (.afterAll, true):
      self.init(primary: primary == .max ? .max : primary + 1, id: primary == .max ? .last : .first)
    case (.beforeAll, false):
      if scan == .byDueDate, secondary > .min {
        self.init(primary: primary, secondary: secondary - 1, id: .last)
      } else if primary > .min {
        self.init(primary: primary - 1, secondary: .max, id: .last)
      } else {
        self.init(primary: .min, secondary: .min, id: .first)
      }
    }
  }
}
#endif
