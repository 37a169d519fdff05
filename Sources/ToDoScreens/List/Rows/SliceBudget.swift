import ToDoModel

/// The part of a long operation that one event may perform. The rest follows with the next events.
struct SliceBudget {
  /// The maximum number of items.
  var items = 4_000
  /// The text size after which no further item follows, in bytes.
  var textSize = 256 << 10

  /// Takes one item from the budget.
  ///
  /// - Returns: whether the budget was not exhausted.
  mutating func take(_ item: ToDoItem) -> Bool {
    guard items > 0, textSize > 0 else { return false }
    items -= 1
    textSize -= item.content.textSize
    return true
  }
}
