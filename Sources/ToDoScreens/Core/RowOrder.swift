package import ToDoModel

/// An order of the rows of a section.
package enum RowOrder: Equatable, Sendable {
  /// The order of `ItemOrder.list`: by due date; done items, the latest first.
  case due
  case title
  /// The latest first.
  case created
  /// The latest first.
  case updated
  /// The nearest to a coordinate first. Items without a coordinate come last.
  case distance(from: Coordinate)
}
