package import ToDoModel

/// An order of a section's rows.
package enum RowOrder: Equatable, Sendable {
  /// By due date, where a date ends with its day; done items, the latest first. Items that wait after a time follow the other
  /// incomplete ones.
  case due(_ ends: DayEnds = .utc, waitingAfter: Timestamp? = nil)
  case title
  /// The latest first.
  case created
  /// The latest first.
  case updated
  /// The highest first. Items without a priority come last.
  case priority
  /// The most urgent first, as on a day at a time.
  case urgency(now: Timestamp, today: CalendarDate)
  /// The nearest to a coordinate first. Items without a coordinate come last.
  case distance(from: Coordinate)
  /// The reverse of another order.
  indirect case reversed(RowOrder)

  /// The order itself, or the one that is reversed.
  var forward: RowOrder {
    if case .reversed(let order) = self { order } else { self }
  }
}
