import ToDoScreens

/// The filter of a watch as the user typed it. Values such as "today" depend on the time.
struct WatchFilter {
  let text: String
  let options: FilterOptions
  let alternatives: AlternativeOptions

  /// Whether no filter is set.
  var isEmpty: Bool { text.isEmpty && options.isEmpty && alternatives.isEmpty }

  /// Checks the filter at the current time.
  ///
  /// - Throws: `Failure`, `DueDateError`, `ValidationError`.
  func check(in session: Session) throws { _ = try alternatives.combined(text: text, options, in: session) }

  /// The texts of the filter, for the list screen.
  ///
  /// - Throws: `Failure`, `InvalidText`, `ValidationError`.
  var listFilter: ListFilter {
    get throws { try alternatives.listFilter(text: text, options) }
  }
}
