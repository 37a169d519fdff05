import ToDoModel

/// A place on a map and its symbol.
struct MapMark: Equatable, Sendable {
  var coordinate: Coordinate
  /// A character that is one column wide.
  var symbol: Character
  /// Whether to use the style of overdue items.
  var isOverdue = false
}
