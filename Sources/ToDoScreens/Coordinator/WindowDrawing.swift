package import ToDoText

/// The drawing of the whole window.
package struct WindowDrawing: Equatable, Sendable {
  /// One line for each row of the window.
  package var lines: [StyledText]
  /// The position of the text cursor, or `nil` to hide it.
  package var cursor: ScreenPosition?
}
