/// The three standard streams, and the properties of the devices behind them.
struct Terminal: Sendable {
  /// Writes to standard output. A closed pipe is not an error; a full disk is.
  var output: @Sendable (String) throws -> Void
  /// Writes to standard error, and ignores errors.
  var error: @Sendable (String) -> Void
  /// Reads a line of standard input without its newline, or returns `nil` at the end of the input.
  var readLine: @Sendable () -> String?
  /// Reads the bytes of standard input up to its end.
  var readInput: @Sendable (_ limit: Int) throws(InputBytes.ReadError) -> [UInt8]
  /// Reads a line as `readLine` does, without echoing it.
  var readSecret: @Sendable () -> String?
  var inputIsTerminal: Bool
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  /// Returns the window width, or `nil` if no stream is a terminal or its size is unknown.
  var windowColumns: @Sendable () -> Int?
  /// The screen, for commands with full-screen output.
  var screen: TerminalScreen = .none
}
