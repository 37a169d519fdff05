import ToDoModel
import ToDoScreens

/// The filter of a watch as the user typed it. Values such as "today" depend on the time.
struct WatchFilter {
  let text: String
  let options: FilterOptions

  /// Whether no filter is set.
  var isEmpty: Bool { text.isEmpty && options.isEmpty }

  /// Returns the matcher for the items to show at the current time, or `nil` if all items are shown.
  ///
  /// - Throws: `Failure`, `DueDateError`.
  func matcher(in session: Session) throws -> ItemMatcher? {
    isEmpty ? nil : ItemMatcher(text: text, filter: try options.filter(in: session))
  }
}
