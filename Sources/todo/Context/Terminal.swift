/// The three standard streams and what is at their other ends.
struct Terminal: Sendable {
  /// Writes to standard output. Nobody reading any more is not an error; a full disk is.
  var output: @Sendable (String) throws -> Void
  /// Writes to standard error, as far as possible.
  var error: @Sendable (String) -> Void
  /// Reads a line of standard input without its end; `nil` at the end of the input.
  var readLine: @Sendable () -> String?
  /// Likewise, without showing what is typed.
  var readSecret: @Sendable () -> String?
  var inputIsTerminal: Bool
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  /// How wide the terminal's window is; `nil` when no stream is one or it does not say.
  var windowColumns: @Sendable () -> Int?
  /// For commands that stay.
  var screen: TerminalScreen = .none
}
