import ToDoModel

/// The sort key of an item in a `RowOrder`. Different items have different keys, so that every order is total.
struct RowKey: Comparable {
  fileprivate enum Value: Comparable {
    /// The order of the positions.
    case position
    case integer(Int64)
    /// The integer of an item that follows those that do not wait.
    case waiting(Int64)
    case distance(Double)
    case text(String)
  }

  private let value: Value
  private let isReversed: Bool
  /// The position in the order of the list, which breaks ties.
  private let position: ItemPosition

  /// Creates an item's key.
  init(of row: ListedItem, in order: RowOrder) {
    position = row.position
    if case .reversed = order { isReversed = true } else { isReversed = false }
    value =
      switch order.forward {
      case .reversed: .position
      case .due(let ends, let waitTime): row.dueValue(ends, waitingAfter: waitTime)
      case .title: .text(row.item.title.lowercased())
      // Complements sort the latest first.
      case .created: .integer(~row.item.createdAt.microseconds)
      case .updated: .integer(~row.item.revision.number)
      case .priority: .integer(-Int64(row.item.priority?.level ?? 0))
      case .urgency(let now, let today): .integer(-Int64(row.item.urgency(now: now, today: today)))
      case .distance(let center): .distance(row.item.distance(from: center) ?? .infinity)
      }
  }

  static func < (left: RowKey, right: RowKey) -> Bool {
    let (left, right) = left.isReversed ? (right, left) : (left, right)
    return left.value == right.value ? left.position < right.position : left.value < right.value
  }
}

extension RowOrder {
  /// Returns the items in this order.
  package func sorted(_ items: [ListedItem]) -> [ListedItem] {
    let keyed = items.map { (key: RowKey(of: $0, in: self), row: $0) }
    return keyed.sorted { $0.key < $1.key }.map(\.row)
  }
}

extension ListedItem {
  /// Returns whether an item is due before an instant.
  func isDue(before instant: Timestamp, _ ends: DayEnds) -> Bool { dueEnd(ends) < instant.microseconds }

  /// Returns whether an item waits after a time; false for none.
  func waits(after time: Timestamp?) -> Bool {
    guard let time, let waitUntil = item.waitUntil else { return false }
    return !item.isDone && waitUntil > time
  }

  fileprivate func dueValue(_ ends: DayEnds, waitingAfter time: Timestamp?) -> RowKey.Value {
    guard !item.isDone else { return .position }
    return waits(after: time) ? .waiting(dueEnd(ends)) : .integer(dueEnd(ends))
  }

  /// Returns the instant from which an item is overdue, in microseconds.
  fileprivate func dueEnd(_ ends: DayEnds) -> Int64 {
    switch item.due {
    case nil: .max
    case .time(let time): time.microseconds
    case .date(let date): ends.end(of: date.daysSinceEpoch).microseconds - 1
    }
  }
}

extension ToDoItem {
  /// Returns the distance in meters, or `nil` if the item has no coordinate.
  func distance(from center: Coordinate) -> Double? {
    location?.coordinate.map { center.distance(to: $0) }
  }
}
