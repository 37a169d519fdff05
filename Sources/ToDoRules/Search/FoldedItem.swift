import ToDoModel

/// The folded texts of one item, for any number of filters. They are folded when the first filter needs them.
struct FoldedItem {
  private var texts: FoldedText?
  private var placeTexts: FoldedText?

  /// Returns whether the title, the description, the place's name or its address contains each word of a filter.
  ///
  /// - Parameter item: the same item in all calls.
  mutating func matches(_ filter: TextFilter, _ item: ToDoItem) -> Bool {
    if filter.isEmpty { return true }
    let folded = texts ?? FoldedText(of: item.content)
    texts = folded
    return filter.matches(folded)
  }

  /// Returns whether the place's name or its address contains each word of a filter.
  ///
  /// - Parameter item: the same item in all calls.
  mutating func placeMatches(_ filter: TextFilter, _ item: ToDoItem) -> Bool {
    if filter.isEmpty { return true }
    let folded = placeTexts ?? FoldedText(placeOf: item.content)
    placeTexts = folded
    return filter.matches(folded)
  }
}
