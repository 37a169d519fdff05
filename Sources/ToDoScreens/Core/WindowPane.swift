import ToDoText

/// A part of a wide window that can receive the keys.
enum WindowPane: Equatable, Sendable {
  /// The lists beside the items.
  case lists
  /// The items of the list that is shown.
  case items
  /// The selected item beside the list.
  case item
}

extension StyledText {
  /// The line between two parts of the window.
  ///
  /// - Parameter isFocused: whether one of them receives the keys, which is not the list's.
  static func paneSeparator(isFocused: Bool) -> StyledText {
    isFocused ? StyledText(" ┃ ", .heading) : StyledText(" │ ", .faint)
  }
}
