/// The terminal as a program has it that stays and shows changes: its window, and what happens meanwhile.
struct TerminalScreen: Sendable {
  /// The size of the window; `nil` when it is not known.
  var size: @Sendable () -> WindowSize?
  /// Reports what happens, on a thread of its own, until the function that it returns is called.
  ///
  /// Meanwhile a signal that asks the process to end is reported; only a second one ends it.
  var listen:
    @Sendable (TerminalListening, _ report: @escaping @Sendable (TerminalEvent) -> Void) -> @Sendable () -> Void
  /// Takes the whole window: another screen without cursor, and keys as they are typed. `leave` undoes it, and so does
  /// whatever else ends the process, except SIGKILL. Doing either twice is the same as once.
  var enter: @Sendable () -> Void
  var leave: @Sendable () -> Void
  /// Leaves the screen, stops the process as a shell's job, and enters again when it goes on.
  var suspend: @Sendable () -> Void
}

struct WindowSize: Equatable, Sendable {
  var rows: Int
  var columns: Int
}

/// What to listen for.
enum TerminalListening: Equatable, Sendable {
  /// `interrupted` and `outputClosed`.
  case end
  /// Everything.
  case all
}

enum TerminalEvent: Equatable, Sendable {
  case typed([UInt8])
  case resized
  /// The person pressed Ctrl-Z.
  case suspensionRequested
  /// The process was stopped and goes on; others may have used the terminal.
  case continued
  /// The process is asked to end: by Ctrl-C, by a signal, or since its terminal is gone.
  case interrupted
  /// Nobody reads the output any more.
  case outputClosed
  /// Nothing happened for half a second.
  case idle
}

extension TerminalScreen {
  /// No window at all, where nothing ever happens.
  static let none = TerminalScreen(size: { nil }, listen: { _, _ in {} }, enter: {}, leave: {}, suspend: {})
}
