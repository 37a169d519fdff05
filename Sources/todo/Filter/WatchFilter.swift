import ToDoModel
import ToDoScreens

/// The filter of a watch as the user typed it. Values such as "today" depend on the time.
struct WatchFilter {
  let text: String
  let options: FilterOptions
  let alternatives: AlternativeOptions

  /// Returns the filter at the current time.
  ///
  /// - Throws: `Failure`, `DueDateError`, `ValidationError`.
  func itemFilter(in session: Session) throws -> ItemFilter {
    try alternatives.combined(text: text, options, in: session)
  }

  /// The texts of the filter, for the list screen.
  ///
  /// - Throws: `Failure`, `InvalidText`, `ValidationError`.
  var listFilter: ListFilter {
    get throws { try alternatives.listFilter(text: text, options) }
  }
}
