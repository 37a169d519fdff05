import ToDoScreens

/// The terminal as a full-screen program uses it: its window and its events.
struct TerminalScreen: Sendable {
  /// Returns the window size, or `nil` if it is unknown.
  var size: @Sendable () -> WindowSize?
  /// Reports events, on a separate thread, until the returned closure is called.
  ///
  /// While events are reported, the first signal that requests termination is an event. The second one exits the process.
  var listen:
    @Sendable (TerminalEventFilter, _ report: @escaping @Sendable (TerminalEvent) -> Void) -> @Sendable () -> Void
  /// Switches to full-screen output: the alternate screen without a cursor, with keys delivered as they are typed, mouse
  /// events and bracketed pastes.
  ///
  /// `leave` restores the terminal, and so does the end of the process by any signal except SIGKILL. Both are idempotent.
  var enter: @Sendable () -> Void
  /// Restores the terminal.
  var leave: @Sendable () -> Void
  /// Leaves the screen, stops the process as a job of its shell, and enters the screen again when the process continues.
  var suspend: @Sendable () -> Void
}

/// The events to listen for.
enum TerminalEventFilter: Equatable, Sendable {
  /// `interrupted` and `outputClosed` only.
  case termination
  /// All events.
  case all
}

/// An event of the terminal or the process.
enum TerminalEvent: Equatable, Sendable {
  /// Bytes of the terminal: keys, mouse presses and pastes. See `InputParser`.
  case typed([UInt8])
  case resized
  /// The user pressed Ctrl-Z.
  case suspensionRequested
  /// The process continues after a stop, during which other programs may have written to the terminal.
  case continued
  /// The process must terminate: because of Ctrl-C, another signal, or the loss of its terminal.
  case interrupted
  /// The reader of the output has closed the pipe.
  case outputClosed
  /// No event occurred for one second.
  case idle
}

extension TerminalScreen {
  /// A screen without a window and without events.
  static let none = TerminalScreen(size: { nil }, listen: { _, _ in {} }, enter: {}, leave: {}, suspend: {})
}
