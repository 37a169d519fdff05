import ToDoModel
import ToDoText

/// A screen as a pure state machine: it handles events and draws its state, and performs nothing itself.
///
/// Screens do not refer to each other. A screen reports outcomes, and the `Coordinator` determines what follows.
protocol Screen: Equatable, Sendable {
  /// Handles an event.
  ///
  /// - Parameters:
  ///   - content: the current items.
  ///   - environment: the current values from outside.
  /// - Returns: what the coordinator must do, in order.
  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction]

  /// Returns the drawing of the screen above the status line.
  ///
  /// Depends on the arguments and on the state only, and takes time proportional to the window size.
  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing
}

/// The drawing of a screen.
struct ScreenDrawing: Equatable, Sendable {
  /// The lines from the top, at most `ScreenEnvironment.bodyRows`, none wider than the window, without control characters.
  var lines: [StyledText] = []
  /// Whether the screen below remains visible above the lines.
  var isPanel = false
  /// The position of the text cursor, or `nil` to hide it.
  var cursor: ScreenPosition?
  /// The keys to offer in the status line, the most important first.
  var hints: [KeyHint] = []
  /// A text at the start of the status line, such as the position in the list.
  var status = ""
  /// Whether the status is a question, which is wrapped instead of cut off.
  var isAsking = false
}

/// A position in the window. The upper left corner has row 0 and column 0.
package struct ScreenPosition: Hashable, Sendable {
  /// The row, from 0 at the top.
  package var row: Int
  /// The column, from 0 at the left.
  package var column: Int

  /// Creates a position.
  package init(row: Int, column: Int) {
    (self.row, self.column) = (row, column)
  }
}

/// A key and its action, as the status line offers it: `a add`.
struct KeyHint: Equatable, Sendable {
  var key: String
  var action: String

  init(_ key: String, _ action: String) {
    (self.key, self.action) = (key, action)
  }
}
