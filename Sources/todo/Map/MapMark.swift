import ToDoModel

/// A place that a map is about, and the character that shows it.
struct MapMark: Equatable, Sendable {
  var coordinate: Coordinate
  /// One column wide.
  var symbol: Character
  /// Whether it is to stand out as something overdue.
  var isOverdue = false
}
