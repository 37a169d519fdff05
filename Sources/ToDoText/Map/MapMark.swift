package import ToDoModel

/// A place on a map and its symbol.
package struct MapMark: Equatable, Sendable {
  var coordinate: Coordinate
  /// A character that is one column wide.
  package var symbol: Character
  /// Whether to use the style of overdue items.
  package var isOverdue = false

  /// Creates a mark.
  package init(coordinate: Coordinate, symbol: Character, isOverdue: Bool = false) {
    (self.coordinate, self.symbol, self.isOverdue) = (coordinate, symbol, isOverdue)
  }

  /// The symbol in its style.
  package var text: StyledText { StyledText(String(symbol), isOverdue ? .overdue : .id) }
}
