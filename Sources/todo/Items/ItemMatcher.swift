import ToDoModel
import ToDoRules

/// A text and a filter that match items by the rules of a service.
struct ItemMatcher: Equatable, Sendable {
  private let selection: ItemSelection

  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - text: as in `ItemQuery.text`.
  ///   - filter: as in `ItemQuery.filter`.
  init(text: String = "", filter: ItemFilter = ItemFilter()) {
    selection = ItemSelection(text: TextFilter(text), due: filter.due, place: TextFilter(filter.place), limit: 1)
  }

  /// Whether an item contains the text and passes the filter.
  func matches(_ item: ToDoItem) -> Bool {
    selection.text.matches(item.content) && selection.passesFilter(item)
  }
}
