import ToDoModel
import ToDoRules
import ToDoScreens

extension ItemMatcher {
  /// Creates a matcher by the rules of `LocalToDoService`.
  init(text: String = "", filter: ItemFilter = ItemFilter()) {
    self.init(text: text, filter: filter, by: Self.rules)
  }

  /// The rules of `LocalToDoService`.
  static var rules: ItemSearch {
    { text, filter in
      let selection = ItemSelection(
        text: TextFilter(text), due: filter.due, place: TextFilter(filter.place), tags: filter.tags,
        priorities: filter.priorities, wait: filter.wait, combination: FilterCombination(filter), limit: 1)
      return { selection.text.matches($0.content) && selection.passesFilter($0) }
    }
  }
}
